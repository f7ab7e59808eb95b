package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Request;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.CounterStats;
import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.GpuStats;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.PrefillStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stands in the rows, definition by definition. */
class StatsRowsTest {

  /** A whole minute, so that each window that ends within it begins before it. */
  private static final long T = 1_796_083_200_000L;

  private static final CacheEvent PREFILL = new CacheEvent.Prefill("r", "adaptive", 10, 0, 1, null);

  private static final StatsJobConfig CONFIG =
      StatsJobConfig.parse("--bootstrap-servers", "none:0");

  private final Arrivals<RequestEvent> requests =
      new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
  private final Arrivals<CacheEventBatch> cacheEvents =
      new Arrivals<>(Topics.CACHE_EVENTS, JsonForm.CACHE_EVENTS);
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
  void hitRateIsOverTokensAndNeverAMeanOfRatios() throws Exception {
    arrive(Request.at(T).prompt(16).cached(16L).replica("replica-0").finished());
    arrive(Request.at(T).prompt(16 * 99).cached(0L).replica("replica-1").finished());

    RoutingStats total = minuteRow("*", "*");
    assertEquals(0.01, total.tokenHitRate());
    assertEquals(0.5, total.requestHitRate());
  }

  @Test
  void unknownCachedTokensAreCountedApartAndNeverAsZero() throws Exception {
    arrive(Request.at(T).prompt(500).cached(null).finished());

    RoutingStats row = minuteRow("adaptive", "replica-0");
    assertNull(row.tokenHitRate());
    assertNull(row.requestHitRate());
    assertEquals(1, row.unknownCachedRequests());
    assertEquals(500, row.unknownCachedPromptTokens());
    assertEquals(0, row.promptTokens());
    assertEquals(0, row.ttftMiss().count());
    assertEquals(LostTokens.NONE, row.lostTokens());
  }

  @Test
  void timeToFirstTokenCountsWhateverCameAfter() throws Exception {
    arrive(Request.at(T).ttft(100_000).firstToken());
    arrive(Request.at(T + 2_000).ttft(100_000).outcome(Outcome.CLIENT_ABORT).finished());

    RoutingStats row = minuteRow("adaptive", "replica-0");
    assertEquals(1, row.ttft().count());
    assertEquals(100_000, row.ttft().sumUs());
    assertNotNull(row.ttft().sketchB64());
    assertEquals(0, row.e2e().count());
    assertEquals(1, row.aborted());
  }

  @Test
  void finishedRequestsSayHitAndMissApart() throws Exception {
    arrive(Request.at(T).cached(16L).ttft(50_000).finished());
    arrive(Request.at(T).cached(0L).ttft(300_000).finished());

    RoutingStats row = minuteRow("adaptive", "replica-0");
    assertEquals(0, row.ttft().count());
    assertEquals(50_000, row.ttftHit().maxUs());
    assertEquals(300_000, row.ttftMiss().maxUs());
    assertEquals(2, row.e2e().count());
  }

  @Test
  void outcomesAreCounted() throws Exception {
    arrive(Request.at(T).finished());
    arrive(Request.at(T).outcome(Outcome.TIMEOUT).finished());
    arrive(Request.at(T).outcome(Outcome.UPSTREAM_ERROR).finished());
    arrive(Request.at(T).outcome(Outcome.CLIENT_ABORT).finished());
    arrive(Request.at(T).notStreamed().finished());

    RoutingStats row = minuteRow("adaptive", "replica-0");
    assertEquals(5, row.requests());
    assertEquals(2, row.ok());
    assertEquals(2, row.failed());
    assertEquals(1, row.aborted());
    assertEquals(1, row.notStreamed());
    assertEquals(0.083333, row.rps());
  }

  @Test
  void eachAttemptCountsOnceWhetherItFailedOrNot() throws Exception {
    arrive(Request.at(T).replica("replica-0").attemptFailed());
    arrive(Request.at(T).replica("replica-1").finished());
    arrive(Request.at(T).replica("replica-0").attemptFailed());
    arrive(Request.at(T).replica("replica-0").outcome(Outcome.UPSTREAM_ERROR).finished());

    assertEquals(2, minuteRow("*", "replica-0").attempts());
    assertEquals(2, minuteRow("*", "replica-0").attemptsFailed());
    assertEquals(1, minuteRow("*", "replica-1").attempts());
    assertEquals(0, minuteRow("*", "replica-1").attemptsFailed());
  }

  @Test
  void rejectedRequestsCountOnlyWhereReplicasAreSummedUp() throws Exception {
    arrive(Request.at(T).rejected().finished());

    assertEquals(1, minuteRow("adaptive", "*").rejected());
    assertEquals(1, minuteRow("*", "*").rejected());
    assertEquals(0, minuteRow("*", "*").attempts());
    assertEquals(2, minuteRows().size());
  }

  @Test
  void partsOfThePromptAddUp() throws Exception {
    arrive(Request.at(T).prompt(1000).cached(500L).predicted(600, 700, 800, 900).finished());

    RoutingStats row = minuteRow("*", "replica-0");
    assertEquals(new LostTokens(100, 100, 100, 100, 100, 0), row.lostTokens());
    assertEquals(200, row.avoidableTokens());
  }

  @Test
  void cachedTokensAreNeverMoreThanThePrompt() throws Exception {
    arrive(Request.at(T).prompt(100).cached(5000L).finished());

    assertEquals(100, minuteRow("*", "*").cachedTokens());
  }

  @Test
  void aReplicaThatOnlyReportsIsListed() throws Exception {
    pipeline.telemetry(telemetry.onTime(0, report(T, "replica-7", 10)));

    RoutingStats row = minuteRow("*", "replica-7");
    assertEquals(0, row.requests());
    assertEquals(new GpuStats(1, 10, 100, ReplicaTelemetry.Source.MODELLED), row.gpu());
    assertEquals(2, minuteRows().size());
  }

  @Test
  void memoryIsTheLastOfEachReplicaAddedUp() throws Exception {
    pipeline.telemetry(telemetry.onTime(0, report(T + 1_500, "replica-0", 30)));
    pipeline.telemetry(telemetry.onTime(1, report(T, "replica-0", 10)));
    pipeline.telemetry(telemetry.onTime(2, report(T + 200, "replica-1", 5)));

    assertEquals(
        new GpuStats(2, 35, 200, ReplicaTelemetry.Source.MODELLED), minuteRow("*", "*").gpu());
  }

  @Test
  void missingRepeatedAndRestartedCacheEventsAreCounted() throws Exception {
    cacheBatch(T, 1, 0, 10);
    cacheBatch(T + 100, 1, 3, 10);
    cacheBatch(T + 200, 1, 3, 10);
    cacheBatch(T + 300, 1, 1, 10);
    cacheBatch(T + 5_000, 1, 4, 10);
    cacheBatch(T + 6_000, 2, 0, 10);

    RoutingStats row = minuteRow("*", "replica-0");
    // Number 2 never came; 3 came twice and is counted once.
    assertEquals(new CacheStats(0, 0, 0, 1, 1, 1), row.cache());
    assertEquals(PrefillStats.of(5, 50, 0, 5, null), row.prefill());
  }

  @Test
  void aPartLeftOutOfABatchIsAGap() throws Exception {
    cacheBatch(T, 0, 0, 0, PREFILL);
    cacheBatch(T, 0, 1, 0, PREFILL);
    cacheBatch(T, 0, 1, 2, PREFILL);
    cacheBatch(T + 5_000, 0, 2, 0, PREFILL);

    assertEquals(1, minuteRow("*", "replica-0").cache().gaps());
  }

  @Test
  void ranksAreNumberedApart() throws Exception {
    cacheBatch(T, 0, 7, 0, PREFILL);
    cacheBatch(T, 1, 7, 0, PREFILL);
    cacheBatch(T, 1, 9, 0, PREFILL);
    cacheBatch(T + 5_000, 0, 8, 0, PREFILL);

    assertEquals(new CacheStats(0, 0, 0, 1, 0, 0), minuteRow("*", "replica-0").cache());
  }

  @Test
  void blocksCountInEachMediumAndGroup() throws Exception {
    HashList blocks = HashList.of(1, 2);
    cacheBatch(T, 0, 0, 0, new CacheEvent.Stored(blocks, 16, CacheEvent.GPU, 0));
    cacheBatch(T, 0, 1, 0, new CacheEvent.Stored(blocks, 16, CacheEvent.GPU, 1));
    cacheBatch(T, 0, 2, 0, new CacheEvent.Stored(blocks, 16, "cpu", 0));
    cacheBatch(T, 0, 3, 0, new CacheEvent.Removed(blocks, CacheEvent.GPU, 0));
    cacheBatch(T, 0, 4, 0, new CacheEvent.Cleared());

    assertEquals(new CacheStats(6, 2, 1, 0, 0, 0), minuteRow("*", "replica-0").cache());
  }

  @Test
  void aGapShowsAlsoWhereNoBatchOfItsReplicaCame() throws Exception {
    cacheBatch(T, 0, 0, 0, PREFILL);
    cacheBatch(T, 0, 2, 0, PREFILL);
    pipeline.cacheEvents(
        cacheEvents.onTime(0, batch(T + 30_000, "replica-1", 1, 0, 0, null, PREFILL)));
    pipeline.watermark(T + 60_000);

    assertEquals(
        new CacheStats(0, 0, 0, 1, 0, 0), row("*", "replica-0", 10_000, T + 31_000).cache());
  }

  @Test
  void countersStandBesidePrefillAndUsage() throws Exception {
    arrive(Request.at(T).prompt(100).cached(64L).finished());
    cacheBatch(T, 0, 0, 0, new CacheEvent.Prefill("r", "adaptive", 100, 64, 1, null));
    cacheBatch(T + 900, 0, 1, 0, new CacheEvent.Counters(60, 48, 500));
    cacheBatch(T + 1_400, 0, 2, 0, new CacheEvent.Counters(40, 16, 500));

    RoutingStats row = minuteRow("*", "replica-0");
    assertEquals(0.64, row.tokenHitRate());
    assertEquals(0.64, row.prefill().tokenHitRate());
    assertEquals(CounterStats.of(100, 64), row.counters());
    assertNull(minuteRow("adaptive", "replica-0").counters());
  }

  @Test
  void scrapedCountersStandOnlyWhereTheEngineSendsNone() throws Exception {
    scraped("replica-0", 100, 64);
    scraped("replica-1", 50, 10);
    cacheBatch(T + 900, 0, 0, 0, new CacheEvent.Counters(90, 60, 500));

    assertEquals(CounterStats.of(90, 60), minuteRow("*", "replica-0").counters());
    pipeline.watermark(T + 60_000);
    assertEquals(CounterStats.of(50, 10), row("*", "replica-1", 60_000, T + 60_000).counters());
  }

  private void scraped(String replica, long queriedTokens, long hitTokens) throws Exception {
    CacheEvent counters = new CacheEvent.Counters(queriedTokens, hitTokens, 5_000);
    pipeline.cacheEvents(
        cacheEvents.onTime(
            0,
            new CacheEventBatch(
                T, replica, "m", CacheEventBatch.Source.SCRAPE, 1, 0, 0, null, List.of(counters))));
  }

  @Test
  void countersThatNobodySentAreUnknownAndNotZero() throws Exception {
    arrive(Request.at(T).replica("replica-1").finished());
    cacheBatch(T, 0, 0, 0, PREFILL);
    assertNull(minuteRow("*", "replica-0").counters());
    assertNull(minuteRow("*", "replica-1").cache());
    assertNull(minuteRow("*", "replica-1").prefill());
  }

  private void cacheBatch(long timeMs, int rank, long seq, int part, CacheEvent event)
      throws Exception {
    pipeline.cacheEvents(
        cacheEvents.onTime(0, batch(timeMs, "replica-0", 1, rank, seq, part, event)));
  }

  private static CacheEventBatch batch(
      long timeMs,
      String replica,
      long incarnation,
      int rank,
      long seq,
      Integer part,
      CacheEvent event) {
    return new CacheEventBatch(
        timeMs,
        replica,
        "m",
        CacheEventBatch.Source.ENGINE,
        incarnation,
        rank,
        seq,
        part,
        List.of(event));
  }

  private void cacheBatch(long timeMs, long incarnation, long seq, long promptTokens)
      throws Exception {
    CacheEvent prefill = new CacheEvent.Prefill("r", "adaptive", promptTokens, 0, 1, null);
    pipeline.cacheEvents(
        cacheEvents.onTime(0, batch(timeMs, "replica-0", incarnation, 0, seq, null, prefill)));
  }

  @Test
  void cacheEventsStandOnRowsOverAllPoliciesOnly() throws Exception {
    arrive(Request.at(T).finished());
    pipeline.cacheEvents(
        cacheEvents.onTime(
            0,
            new CacheEventBatch(
                T,
                "replica-0",
                "m",
                CacheEventBatch.Source.ENGINE,
                1,
                0,
                0,
                null,
                List.of(
                    new CacheEvent.Stored(HashList.of(1, 2), 16, CacheEvent.GPU, 0),
                    new CacheEvent.Cleared(),
                    new CacheEvent.Prefill("r", "adaptive", 100, 64, 9_000, null)))));

    RoutingStats row = minuteRow("*", "replica-0");
    assertEquals(new CacheStats(2, 0, 1, 0, 0, 0), row.cache());
    assertEquals(PrefillStats.of(1, 100, 64, 9_000, null), row.prefill());
    assertNull(row.gpu());
    assertNull(minuteRow("adaptive", "replica-0").cache());
    assertNull(minuteRow("adaptive", "*").prefill());
  }

  @Test
  void speedIsLearnedFromUncachedTokensAndAShareOfTheBacklog() throws Exception {
    for (int tokens : new int[] {1000, 2000, 4000}) {
      for (int i = 0; i < 5; i++) {
        arrive(
            Request.at(T)
                .prompt(tokens + 10)
                .cached(10L)
                .backlog(1000)
                .ttft((tokens + 250) * 100L)
                .finished());
      }
    }

    FitStats fit = minuteRow("*", "replica-0").fit();
    // Times are upstream's, nine tenths of the client's; medians are within 1 %.
    assertEquals(90, fit.usPerToken(), 2);
    assertEquals(15, fit.samples());
    assertEquals(FitStats.Source.TTFT, fit.source());
    assertNull(minuteRow("adaptive", "replica-0").fit());
  }

  @Test
  void slowingAnEngineMovesTheSlopeThroughItsGpuTime() throws Exception {
    answer("replica-0");
    answer("replica-1");
    gpuPrefill("replica-0", 30);
    gpuPrefill("replica-1", 60);

    FitStats fast = minuteRow("*", "replica-0").fit();
    FitStats slow = minuteRow("*", "replica-1").fit();
    // Both gave the same times to first token: the slope is the GPU's alone.
    assertEquals(FitStats.Source.GPU, fast.source());
    assertEquals(30, fast.usPerToken(), 1e-9);
    assertEquals(60, slow.usPerToken(), 1e-9);
    assertTrue(slow.interceptUs() < fast.interceptUs());
  }

  private void answer(String replica) throws Exception {
    for (int tokens : new int[] {1000, 2000, 4000}) {
      for (int i = 0; i < 5; i++) {
        arrive(
            Request.at(T)
                .replica(replica)
                .prompt(tokens + 10)
                .cached(10L)
                .ttft(100_000 + tokens * 100L)
                .finished());
      }
    }
  }

  private void gpuPrefill(String replica, long usPerToken) throws Exception {
    CacheEvent prefill =
        new CacheEvent.Prefill("r", "adaptive", 1_064, 64, 90_000, 1_000 * usPerToken);
    pipeline.cacheEvents(
        cacheEvents.onTime(
            0,
            new CacheEventBatch(
                T, replica, "m", CacheEventBatch.Source.ENGINE, 1, 0, 0, null, List.of(prefill))));
  }

  @Test
  void lossesOfABalancerAreTheRiseOfItsCounter() throws Exception {
    arrive(Request.at(T).lost(5).replica("replica-0").finished());
    arrive(Request.at(T + 5_000).lost(5).replica("replica-1").finished());
    arrive(Request.at(T + 65_000).lost(7).finished());
    arrive(Request.at(T + 65_000).router("balancer-1").lost(2).finished());
    pipeline.watermark(T + 600_000);

    assertEquals(5, row("*", "*", 60_000, T + 60_000).eventsDropped());
    assertEquals(4, row("*", "*", 60_000, T + 120_000).eventsDropped());
    assertEquals(0, row("*", "replica-0", 60_000, T + 60_000).eventsDropped());
  }

  @Test
  void namesThatCannotBeOneStandAsOther() throws Exception {
    arrive(Request.at(T).policy("*").replica("x".repeat(1000)).finished());

    assertEquals(1, minuteRow("other", "other").requests());
  }

  @Test
  void aRoutedEventAloneMakesNoRow() throws Exception {
    arrive(Request.at(T).routed());
    pipeline.watermark(T + 600_000);

    assertEquals(List.of(), pipeline.rows());
  }

  @Test
  void rowsOfSinglePoliciesAndReplicasHaveNoShortWindows() throws Exception {
    arrive(Request.at(T).finished());
    pipeline.watermark(T + 600_000);

    for (RoutingStats row : pipeline.rows()) {
      boolean single = !row.policy().equals("*") && !row.replica().equals("*");
      assertEquals(single, single && row.windowSizeMs() > 10_000);
    }
    assertEquals(4 * 12 + 4 * 10 + 3 * 10, pipeline.rows().size());
  }

  private void arrive(RequestEvent event) throws Exception {
    pipeline.request(requests.onTime(0, event));
  }

  private static ReplicaTelemetry report(long timeMs, String replica, long usedBytes) {
    return new ReplicaTelemetry(
        timeMs,
        replica,
        "m",
        16,
        0,
        0,
        0,
        100,
        new ReplicaTelemetry.Gpu("H200", usedBytes, 100, ReplicaTelemetry.Source.MODELLED));
  }

  /** The row of the first minute. */
  private RoutingStats minuteRow(String policy, String replica) throws Exception {
    return minuteRows().stream()
        .filter(row -> row.policy().equals(policy) && row.replica().equals(replica))
        .findFirst()
        .orElseThrow();
  }

  private List<RoutingStats> minuteRows() throws Exception {
    pipeline.watermark(T + 59_999);
    List<RoutingStats> rows = new ArrayList<>();
    for (RoutingStats row : pipeline.rows()) {
      if (row.windowSizeMs() == 60_000 && row.windowEndMs() == T + 60_000) {
        rows.add(row);
      }
    }
    return rows;
  }

  private RoutingStats row(String policy, String replica, long sizeMs, long endMs) {
    return pipeline.rows().stream()
        .filter(row -> row.policy().equals(policy) && row.replica().equals(replica))
        .filter(row -> row.windowSizeMs() == sizeMs && row.windowEndMs() == endMs)
        .reduce((first, last) -> last)
        .orElseThrow();
  }
}
