package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.FinalRows;
import io.warmpath.jobs.testing.Oracle;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Traffic;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * The last row of each key and window is what the definitions say, whatever order events come in,
 * whenever watermarks pass, and wherever the job is stopped and started again.
 */
class ExactnessTest {

  private static final long T = 1_796_083_200_000L;
  private static final long SPAN_MS = 150_000;
  private static final long DAY_MS = 86_400_000;

  private static final StatsJobConfig CONFIG =
      StatsJobConfig.parse("--bootstrap-servers", "none:0");

  @Property(tries = 25)
  void equalsTheDefinitions(@ForAll long seed) throws Exception {
    assertEqualsTheDefinitions(seed);
  }

  /** A balancer's counter that came right after a restart, for windows emitted before it. */
  @Test
  void aLateCounterAfterARestartCorrectsWhatWasEmittedBefore() throws Exception {
    assertEqualsTheDefinitions(-1528);
  }

  private static void assertEqualsTheDefinitions(long seed) throws Exception {
    List<Parsed<?>> records = new Traffic(seed, T, SPAN_MS).records(400);

    List<RoutingStats> expected =
        new Oracle(CONFIG)
            .of(Traffic.only(records, RequestEvent.class))
            .of(Traffic.only(records, CacheEventBatch.class))
            .of(Traffic.only(records, ReplicaTelemetry.class))
            .rows();
    assertEquals(FinalRows.of(expected), FinalRows.of(rows(records, new Random(seed))));
  }

  @Test
  void theTrafficShowsAllThatCanGoWrong() {
    List<RoutingStats> totals =
        new Oracle(CONFIG)
                .of(Traffic.only(new Traffic(1, T, SPAN_MS).records(400), RequestEvent.class))
                .rows()
                .stream()
                .filter(row -> row.isTotal() && row.windowSizeMs() == 60_000)
                .toList();
    assertTrue(totals.stream().anyMatch(row -> row.late() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.dropped() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.skewed() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.eventsDropped() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.rejected() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.fit() != null));
  }

  /** Runs the job with watermarks and restarts at random places. */
  private static List<RoutingStats> rows(List<Parsed<?>> records, Random random) throws Exception {
    List<RoutingStats> rows = new ArrayList<>();
    Pipeline pipeline = new Pipeline(CONFIG, null);
    long highMs = T;
    long watermarkMs = Long.MIN_VALUE;
    for (Parsed<?> record : records) {
      add(record, pipeline);
      highMs = Math.max(highMs, record.eventTimeMs());
      if (random.nextInt(8) == 0) {
        watermarkMs = Math.max(watermarkMs, highMs - random.nextInt(6_000));
        pipeline.watermark(watermarkMs);
      }
      if (random.nextInt(100) == 0) {
        Pipeline.Snapshot snapshot = pipeline.snapshot();
        rows.addAll(pipeline.rows());
        pipeline.close();
        pipeline = new Pipeline(CONFIG, snapshot);
      }
    }
    pipeline.watermark(highMs + 2 * DAY_MS);
    assertEquals(0, pipeline.retained());
    rows.addAll(pipeline.rows());
    pipeline.close();
    return rows;
  }

  @SuppressWarnings("unchecked") // Checked by the value's class.
  private static void add(Parsed<?> record, Pipeline pipeline) throws Exception {
    if (record.value() instanceof RequestEvent) {
      pipeline.request((Parsed<RequestEvent>) record);
    } else if (record.value() instanceof CacheEventBatch) {
      pipeline.cacheEvents((Parsed<CacheEventBatch>) record);
    } else {
      pipeline.telemetry((Parsed<ReplicaTelemetry>) record);
    }
  }
}
