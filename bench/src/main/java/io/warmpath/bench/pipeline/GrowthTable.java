package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.lab.screen.Table;
import java.util.List;
import java.util.Locale;

/** What {@code bench pipeline --growth} prints for people. */
public final class GrowthTable {

  private static final int POLICIES = 4;
  private static final double MB = 1e6;

  private GrowthTable() {}

  /** One row a fleet. */
  public static List<String> lines(GrowthReport report) {
    Table table =
        new Table()
            .row(
                List.of(
                    "replicas",
                    "x policies",
                    "events/s",
                    "without duplicate set",
                    "checkpoint",
                    "of it duplicate set",
                    "took",
                    "without it"));
    double smallest = 0;
    for (PipelineReport size : report.sizes()) {
      PipelineRow with = row(size, ContenderKind.STATS);
      PipelineRow without = row(size, ContenderKind.STATS_NO_DUPLICATES);
      smallest = smallest == 0 ? with.eventsPerSecond() : smallest;
      table.row(cells(size.workload().replicas(), with, without, smallest));
    }
    return table.lines();
  }

  private static PipelineRow row(PipelineReport size, ContenderKind kind) {
    return size.rows().stream().filter(row -> row.contender() == kind).findFirst().orElseThrow();
  }

  private static List<String> cells(
      int replicas, PipelineRow with, PipelineRow without, double smallest) {
    long all = with.checkpoint().stateBytes();
    long panes = without.checkpoint().stateBytes();
    return List.of(
        Integer.toString(replicas),
        Integer.toString(replicas * POLICIES),
        format("%,.0f (%.2fx)", with.eventsPerSecond(), with.eventsPerSecond() / smallest),
        format("%,.0f", without.eventsPerSecond()),
        format("%.1f MB", all / MB),
        format("%.1f MB", (all - panes) / MB),
        with.checkpoint().durationMs() + " ms",
        without.checkpoint().durationMs() + " ms");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
