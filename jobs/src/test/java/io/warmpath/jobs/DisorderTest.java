package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Request;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When rows come, in which order, and what events out of order do. */
class DisorderTest {

  private static final long T = 1_796_083_200_000L;

  private static final StatsJobConfig CONFIG =
      StatsJobConfig.parse("--bootstrap-servers", "none:0");

  private final Arrivals<RequestEvent> requests =
      new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
  private final Arrivals<ReplicaTelemetry> telemetry =
      new Arrivals<>(Topics.REPLICA_TELEMETRY, JsonForm.TELEMETRY);

  private Pipeline pipeline;

  @BeforeEach
  void open() throws Exception {
    pipeline = new Pipeline(CONFIG, null);
  }

  @AfterEach
  void close() throws Exception {
    pipeline.close();
  }

  @Test
  void aWindowComesWhenTheWatermarkPassesItsEndAndNotBefore() throws Exception {
    arrive(0, Request.at(T).finished());

    pipeline.watermark(T + 998);
    assertEquals(List.of(), pipeline.rows());
    pipeline.watermark(T + 999);
    assertEquals(3, pipeline.rows().size());
    assertTrue(pipeline.rows().stream().allMatch(row -> row.windowEndMs() == T + 1_000));
  }

  @Test
  void rowsComeByWindowEndSizePolicyAndReplicaWithTheTotalLast() throws Exception {
    arrive(0, Request.at(T).policy("b").replica("r1").finished());
    arrive(0, Request.at(T).policy("a").replica("r2").finished());

    pipeline.watermark(T + 4_999);
    List<String> order =
        pipeline.rows().stream()
            .filter(row -> row.windowEndMs() >= T + 4_000)
            .map(row -> row.windowEndMs() - T + " " + row.windowSizeMs() + " " + name(row))
            .toList();
    assertEquals(
        List.of(
            "4000 10000 *|r1",
            "4000 10000 *|r2",
            "4000 10000 a|*",
            "4000 10000 b|*",
            "4000 10000 *|*",
            "5000 10000 *|r1",
            "5000 10000 *|r2",
            "5000 10000 a|*",
            "5000 10000 b|*",
            "5000 10000 *|*",
            "5000 60000 *|r1",
            "5000 60000 *|r2",
            "5000 60000 a|*",
            "5000 60000 a|r2",
            "5000 60000 b|*",
            "5000 60000 b|r1",
            "5000 60000 *|*"),
        order);
  }

  @Test
  void modelsDoNotWaitForEachOther() throws Exception {
    arrive(0, Request.at(T).model("m").finished());
    arrive(0, Request.at(T).model("n").finished());

    pipeline.watermark(T + 999);
    assertEquals(2, pipeline.rows().stream().filter(RoutingStats::isTotal).count());
  }

  @Test
  void aLateEventBringsTheWindowsItTouchesAgainAndNoOthers() throws Exception {
    arrive(0, Request.at(T).replica("r1").finished());
    arrive(0, Request.at(T).replica("r2").finished());
    arrive(0, Request.at(T + 12_000).replica("r1").finished());
    pipeline.watermark(T + 9_999);
    pipeline.rows().clear();

    arrive(0, Request.at(T + 4_500).replica("r1").finished());
    pipeline.watermark(T + 10_000);

    assertEquals(
        List.of("5000", "5000", "6000", "7000", "8000", "9000", "10000", "10000"),
        pipeline.rows().stream()
            .filter(RoutingStats::isTotal)
            .map(row -> Long.toString(row.windowEndMs() - T))
            .toList());
    assertTrue(pipeline.rows().stream().noneMatch(row -> row.replica().equals("r2")));
    RoutingStats minute = last("*|r1", 60_000, T + 10_000);
    assertEquals(2, minute.requests());
    assertEquals(1, minute.late());
    // And the windows that were still open count it as well.
    pipeline.watermark(T + 15_000);
    assertEquals(4, last("*|*", 60_000, T + 15_000).requests());
  }

  @Test
  void lateIsBelowTheBoundAndDroppedIsBelowTheAllowedLateness() throws Exception {
    long high = T + 100_000;
    arrive(0, Request.at(high).finished());
    arrive(0, Request.at(high - 2_000).finished());
    arrive(0, Request.at(high - 2_001).finished());
    arrive(0, Request.at(high - 62_000).finished());
    arrive(0, Request.at(high - 62_001).finished());
    pipeline.watermark(T + 600_000);

    RoutingStats atHigh = last("*|*", 60_000, T + 105_000);
    assertEquals(3, atHigh.requests());
    assertEquals(1, atHigh.late());
    assertEquals(1, atHigh.dropped());
    RoutingStats old = last("*|*", 60_000, T + 40_000);
    assertEquals(1, old.requests());
    assertEquals(1, old.late());
    assertEquals(0, old.dropped());
  }

  @Test
  void latenessIsToldWithinAPartition() throws Exception {
    arrive(0, Request.at(T + 100_000).finished());
    arrive(1, Request.at(T).finished());
    pipeline.watermark(T + 600_000);

    RoutingStats row = last("*|*", 60_000, T + 5_000);
    assertEquals(1, row.requests());
    assertEquals(0, row.late());
  }

  @Test
  void highestTimesSurviveARestart() throws Exception {
    arrive(0, Request.at(T + 100_000).finished());
    Pipeline.Snapshot snapshot = pipeline.snapshot();
    pipeline.close();
    pipeline = new Pipeline(CONFIG, snapshot);

    arrive(0, Request.at(T).finished());
    pipeline.watermark(T + 600_000);
    assertEquals(1, last("*|*", 60_000, T + 105_000).dropped());
  }

  @Test
  void aCopyIsCountedOnceAlsoAfterARestart() throws Exception {
    RequestEvent event = Request.at(T).finished();
    arrive(0, event);
    Pipeline.Snapshot snapshot = pipeline.snapshot();
    pipeline.close();
    pipeline = new Pipeline(CONFIG, snapshot);

    arrive(0, event);
    pipeline.watermark(T + 600_000);
    assertEquals(1, last("*|*", 60_000, T + 5_000).requests());
    assertEquals(1, last("*|*", 60_000, T + 5_000).duplicates());
  }

  @Test
  void anEventAheadOfItsRecordTakesTheRecordsTime() throws Exception {
    pipeline.request(requests.written(0, T, Request.at(T + 60_001).finished()));
    pipeline.request(requests.written(0, T, Request.at(T + 60_000).finished()));
    pipeline.watermark(T + 600_000);

    assertEquals(1, last("*|*", 60_000, T + 5_000).skewed());
    assertEquals(1, last("*|*", 60_000, T + 5_000).requests());
    assertEquals(1, last("*|*", 60_000, T + 65_000).requests());
    assertEquals(0, last("*|*", 60_000, T + 65_000).skewed());
  }

  @Test
  void aPartitionThatComesBackBehindTheWatermarkStillCounts() throws Exception {
    arrive(0, Request.at(T + 200_000).finished());
    pipeline.watermark(T + 200_999);
    pipeline.rows().clear();

    arrive(1, Request.at(T + 50_000).finished());
    pipeline.watermark(T + 201_000);

    assertEquals(1, last("*|*", 60_000, T + 55_000).requests());
    assertEquals(12, pipeline.rows().stream().filter(DisorderTest::isMinuteTotal).count());
  }

  @Test
  void aLateReportThatChangesNoRowBringsNone() throws Exception {
    arrive(0, Request.at(T + 200_000).finished());
    pipeline.telemetry(report(0, T + 50_000));
    pipeline.watermark(T + 200_999);
    pipeline.rows().clear();

    pipeline.telemetry(report(1, T + 50_500));
    pipeline.watermark(T + 201_000);

    assertEquals(List.of(), pipeline.rows());
  }

  @Test
  void noWindowComesThatSomePanesOfAreGone() throws Exception {
    arrive(0, Request.at(T).finished());
    arrive(0, Request.at(T + 400_000).finished());
    pipeline.watermark(T + 400_999);
    pipeline.rows().clear();

    // The window begins before what is kept, though this event itself is not older.
    arrive(1, Request.at(T + 45_000).finished());
    pipeline.watermark(T + 401_000);

    assertTrue(
        pipeline.rows().stream().allMatch(row -> row.windowStartMs() >= T + 401_000 - 360_000),
        pipeline.rows()::toString);
  }

  @Test
  void aKeyThatFellSilentLeavesNothingBehind() throws Exception {
    arrive(0, Request.at(T).finished());
    pipeline.watermark(T + 60_000);
    assertTrue(pipeline.retained() > 0);

    pipeline.watermark(T + 480_000);
    assertEquals(0, pipeline.retained());
  }

  @Test
  void keysWithoutEventsEmitNothing() throws Exception {
    arrive(0, Request.at(T).replica("r1").finished());
    arrive(0, Request.at(T + 65_000).replica("r2").finished());
    pipeline.watermark(T + 600_000);

    assertEquals(
        List.of("*|r2", "adaptive|*", "adaptive|r2", "*|*"),
        pipeline.rows().stream()
            .filter(row -> row.windowSizeMs() == 60_000 && row.windowEndMs() == T + 70_000)
            .map(DisorderTest::name)
            .collect(Collectors.toList()));
  }

  private Parsed<ReplicaTelemetry> report(int partition, long timeMs) {
    return telemetry.onTime(
        partition, new ReplicaTelemetry(timeMs, "replica-0", "m", 16, 0, 0, 0, 100, null));
  }

  private void arrive(int partition, RequestEvent event) throws Exception {
    pipeline.request(requests.onTime(partition, event));
  }

  private static boolean isMinuteTotal(RoutingStats row) {
    return row.isTotal() && row.windowSizeMs() == 60_000;
  }

  private static String name(RoutingStats row) {
    return row.policy() + "|" + row.replica();
  }

  private RoutingStats last(String name, long sizeMs, long endMs) {
    return pipeline.rows().stream()
        .filter(row -> name(row).equals(name))
        .filter(row -> row.windowSizeMs() == sizeMs && row.windowEndMs() == endMs)
        .reduce((first, second) -> second)
        .orElseThrow();
  }
}
