package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.FinalRows;
import io.warmpath.jobs.testing.Oracle;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.testing.Traffic;
import io.warmpath.jobs.window.WindowSpec;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final long NOT_WAITED_FOR_MS = 100_000;
  private static final long DAY_MS = 86_400_000;

  private static final StatsJobConfig CONFIG =
      StatsJobConfig.parse("--bootstrap-servers", "none:0");

  /** Watermarks that wait for every partition, as they do unless one is idle. */
  @Property(tries = 15)
  void equalsTheDefinitions(@ForAll long seed) throws Exception {
    assertEqualsTheDefinitions(seed, CONFIG, -CONFIG.bound().toMillis());
  }

  /** Panes are kept for windows of a minute as long as a partition may be away. */
  @Property(tries = 15)
  void shortWindowsDoNotNeedEveryPartitionToBeWaitedFor(@ForAll long seed) throws Exception {
    List<WindowSpec> shortWindows =
        WindowSpec.DEFAULTS.stream().filter(spec -> spec.sizeMs() <= 60_000).toList();
    assertEqualsTheDefinitions(seed, CONFIG.withWindows(shortWindows), NOT_WAITED_FOR_MS);
  }

  private static void assertEqualsTheDefinitions(long seed, StatsJobConfig config, long aheadMs)
      throws Exception {
    List<Parsed<?>> records = new Traffic(seed, T, SPAN_MS).records(400);

    List<RoutingStats> expected =
        new Oracle(config)
            .of(Traffic.only(records, RequestEvent.class))
            .of(Traffic.only(records, CacheEventBatch.class))
            .of(Traffic.only(records, ReplicaTelemetry.class))
            .rows();
    FinalRows.assertSame(expected, rows(records, new Random(seed), config, aheadMs));
  }

  @Test
  void aLateCounterAfterARestartCorrectsWhatWasEmittedBefore() throws Exception {
    Arrivals<RequestEvent> requests = new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
    List<Parsed<RequestEvent>> records =
        List.of(
            requests.onTime(0, Request.at(T).finished()),
            requests.onTime(0, Request.at(T + 50_000).finished()),
            requests.written(0, T + 50_000, Request.at(T + 20_000).lost(5).routed()));

    List<RoutingStats> rows = new ArrayList<>();
    Pipeline before = new Pipeline(CONFIG, null);
    before.request(records.get(0));
    before.request(records.get(1));
    before.watermark(T + 48_000);
    Pipeline after = new Pipeline(CONFIG, before.snapshot());
    after.request(records.get(2));
    after.watermark(T + DAY_MS);
    rows.addAll(before.rows());
    rows.addAll(after.rows());
    before.close();
    after.close();

    FinalRows.assertSame(new Oracle(CONFIG).of(records).rows(), rows);
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
    assertTrue(totals.stream().anyMatch(row -> row.duplicates() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.eventsDropped() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.rejected() > 0));
    assertTrue(totals.stream().anyMatch(row -> row.fit() != null));
  }

  /** Runs the job with watermarks and restarts at random places. */
  private static List<RoutingStats> rows(
      List<Parsed<?>> records, Random random, StatsJobConfig config, long aheadMs)
      throws Exception {
    List<RoutingStats> rows = new ArrayList<>();
    Pipeline pipeline = new Pipeline(config, null);
    long highMs = T;
    Map<String, Long> highByPartition = new HashMap<>();
    long watermarkMs = Long.MIN_VALUE;
    for (Parsed<?> record : records) {
      add(record, pipeline);
      highMs = Math.max(highMs, record.eventTimeMs());
      highByPartition.merge(record.topic() + record.partition(), record.eventTimeMs(), Math::max);
      if (random.nextInt(8) == 0) {
        long slowestMs = Collections.min(highByPartition.values());
        long passedMs = Math.min(highMs - random.nextInt(6_000), slowestMs + aheadMs);
        watermarkMs = Math.max(watermarkMs, passedMs);
        pipeline.watermark(watermarkMs);
      }
      if (random.nextInt(100) == 0) {
        Pipeline.Snapshot snapshot = pipeline.snapshot();
        rows.addAll(pipeline.rows());
        pipeline.close();
        pipeline = new Pipeline(config, snapshot);
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
