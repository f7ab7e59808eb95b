package io.warmpath.bench.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup.StateBackend;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All contenders on a small topic: who is fast does not matter here, who counts right does. */
class PipelineBenchIT {

  private static final int EVENTS = 20_000;
  private static PipelineReport report;

  @BeforeAll
  static void measure() throws Exception {
    Workload workload = Workload.before(System.currentTimeMillis(), EVENTS, 4, 400);
    PipelinePlan plan =
        new PipelinePlan(
            EnumSet.allOf(ContenderKind.class),
            List.of(2),
            List.of(StateBackend.HEAP, StateBackend.ROCKSDB),
            0,
            List.of("-Xmx1g", "-XX:TieredStopAtLevel=1"));
    report = new PipelineBench(text -> {}).run(workload, plan);
  }

  @Test
  void everyContenderReadsAllEvents() {
    assertEquals(ContenderKind.values().length + 1, report.rows().size());
    report.rows().forEach(row -> assertEquals(EVENTS, row.events(), row.toString()));
  }

  @Test
  void everyoneThatMakesWindowsCountsTheTruth() {
    for (PipelineRow row : report.rows()) {
      if (row.contender().makesWindows()) {
        assertTrue(row.check().windows() > 0, row.toString());
        assertEquals(0, row.check().missing(), row.toString());
        assertEquals(0, row.check().miscounted(), row.toString());
      }
    }
    assertEquals(
        1,
        report.rows().stream()
            .filter(row -> row.check() != null)
            .mapToLong(row -> row.check().requests())
            .distinct()
            .count());
  }

  @Test
  void percentilesAreWithinOnePercent() {
    report.rows().stream()
        .filter(row -> row.check() != null)
        .forEach(row -> assertTrue(row.check().worstP95Error() <= 0.01, row.toString()));
  }

  @Test
  void jobsOnFlinkReportTheirState() {
    report.rows().stream()
        .filter(row -> row.contender().runsOnFlink() && row.contender().makesWindows())
        .forEach(
            row -> {
              assertNotNull(row.checkpoint());
              assertTrue(row.checkpoint().stateBytes() > 0, row.toString());
            });
  }
}
