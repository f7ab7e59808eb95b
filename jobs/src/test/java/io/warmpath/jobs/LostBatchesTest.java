package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Request;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Replicas whose batches get lost on the way, where all three sources told of the same hits before.
 * What their rows must say follows from what was lost; that of all counts the gaps, and sees no
 * disagreement where one half of the fleet may lack what the other half lost.
 */
class LostBatchesTest {

  private static final long T = 1_796_083_200_000L;
  private static final long WINDOW_MS = 300_000;
  private static final int REPLICAS = 2;

  private static final StatsJobConfig CONFIG =
      StatsJobConfig.parse("--bootstrap-servers", "none:0");

  /** A request as it went. */
  private record Served(
      int replica, long arrivalMs, long firstTokenMs, long endMs, long prompt, long cached) {}

  /** Live traffic with prompts of very different lengths, of which each window's edges cut some. */
  @Property(tries = 20)
  void aGapThatCostNoHitIsCountedAndNoSourceDisagrees(@ForAll long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<CacheEventBatch> batches = new ArrayList<>();
    List<Served> traffic = traffic(random, -60_000, WINDOW_MS + 60_000, 200_000);
    List<CacheEventBatch> lost =
        lose(batches(traffic), batches, batch -> hits(batch) == 0 && random.nextInt(10) == 0);
    List<RoutingStats> rows = rows(traffic, batches);
    assertEquals(lost.size(), total(rows).cache().gaps());
    rows.forEach(row -> assertEquals(false, row.flags().sourcesDisagree(), row::toString));
  }

  @Property(tries = 20)
  void oneLostHitIsADisagreementWhereTheEdgesCutNothing(@ForAll long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<CacheEventBatch> batches = new ArrayList<>();
    List<Served> traffic = traffic(random, 60_000, 200_000, 200_000);
    List<CacheEventBatch> sent = batches(traffic);
    CacheEventBatch first = sent.stream().filter(each -> hits(each) > 0).findFirst().orElseThrow();
    List<CacheEventBatch> lost =
        lose(sent, batches, batch -> batch == first || hits(batch) > 0 && random.nextInt(100) == 0);
    List<RoutingStats> rows = rows(traffic, batches);
    assertEquals(lost.size(), total(rows).cache().gaps());
    assertDisagree(rows, lost);
  }

  @Property(tries = 20)
  void inLiveTrafficTheSourcesDisagreeWhereHalfOfTheHitsAreLost(@ForAll long seed)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<CacheEventBatch> batches = new ArrayList<>();
    List<Served> traffic = traffic(random, -60_000, WINDOW_MS + 60_000, 2_000);
    List<CacheEventBatch> lost = lose(batches(traffic), batches, batch -> random.nextBoolean());
    List<RoutingStats> rows = rows(traffic, batches);
    assertEquals(lost.size(), total(rows).cache().gaps());
    assertDisagree(rows, lost);
  }

  /** Only some engines of a fleet send prefill events, as where they are of several versions. */
  @Property(tries = 20)
  void aGapOfAReplicaWithPrefillEventsAmongSomeWithoutIsNoDisagreementOfTheFleet(@ForAll long seed)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<CacheEventBatch> batches = new ArrayList<>();
    List<Served> traffic = traffic(random, -60_000, WINDOW_MS + 60_000, 2_000);
    List<CacheEventBatch> sent =
        batches(traffic).stream().filter(each -> each.replica().equals("replica-0")).toList();
    List<CacheEventBatch> lost =
        lose(sent, batches, batch -> hits(batch) == 0 && random.nextInt(10) == 0);
    List<RoutingStats> rows = rows(traffic, batches);
    assertEquals(lost.size(), total(rows).cache().gaps());
    assertEquals(false, total(rows).flags().sourcesDisagree(), () -> total(rows).toString());
  }

  /** So says the row of each replica of which something was lost. */
  private static void assertDisagree(List<RoutingStats> rows, List<CacheEventBatch> lost) {
    for (RoutingStats row : rows) {
      boolean lostSome = lost.stream().anyMatch(each -> each.replica().equals(row.replica()));
      if (lostSome) {
        assertEquals(true, row.flags().sourcesDisagree(), row::toString);
      }
    }
  }

  private static RoutingStats total(List<RoutingStats> rows) {
    return rows.stream().filter(RoutingStats::isTotal).findFirst().orElseThrow();
  }

  private static List<Served> traffic(
      SplittableRandom random, long fromMs, long toMs, long longestPrompt) {
    List<Served> traffic = new ArrayList<>();
    long timeMs = T + fromMs;
    while (timeMs < T + toMs) {
      timeMs += Math.round(-Math.log(1 - random.nextDouble()) * 700);
      // Pareto: most are short, and the longest may be as long as hundreds of them.
      long prompt =
          Math.min(longestPrompt, Math.round(200 / Math.pow(1 - random.nextDouble(), 0.8)));
      long cached = random.nextInt(3) == 0 ? 0 : random.nextLong(prompt);
      long firstTokenMs = timeMs + 30 + (prompt - cached) / 20;
      long endMs = firstTokenMs + random.nextInt(6_000);
      traffic.add(
          new Served(random.nextInt(REPLICAS), timeMs, firstTokenMs, endMs, prompt, cached));
    }
    return traffic;
  }

  /** What each replica tells once a second, also when there is nothing to tell. */
  private static List<CacheEventBatch> batches(List<Served> traffic) {
    List<CacheEventBatch> batches = new ArrayList<>();
    for (int second = -70; second <= 400; second++) {
      long fromMs = T + 1_000L * second;
      for (int replica = 0; replica < REPLICAS; replica++) {
        batches.add(batch(replica, second + 70, fromMs, traffic));
      }
    }
    return batches;
  }

  private static CacheEventBatch batch(int replica, long seq, long fromMs, List<Served> traffic) {
    long toMs = fromMs + 1_000;
    List<CacheEvent> events = new ArrayList<>();
    long queried = 0;
    long found = 0;
    for (Served each : traffic) {
      if (each.replica == replica) {
        if (each.firstTokenMs >= fromMs && each.firstTokenMs < toMs) {
          events.add(new CacheEvent.Prefill("r", null, each.prompt, each.cached, 1, null));
        }
        if (each.arrivalMs >= fromMs && each.arrivalMs < toMs) {
          queried += each.prompt;
          found += each.cached;
        }
      }
    }
    events.add(new CacheEvent.Counters(queried, found, 1_000));
    return new CacheEventBatch(
        toMs, "replica-" + replica, "m", CacheEventBatch.Source.ENGINE, 1, 0, seq, null, events);
  }

  private static long hits(CacheEventBatch batch) {
    long hits = 0;
    for (CacheEvent event : batch.events()) {
      hits += event instanceof CacheEvent.Prefill prefill ? prefill.cachedTokens() : 0;
      hits += event instanceof CacheEvent.Counters counters ? counters.hitTokens() : 0;
    }
    return hits;
  }

  /** Loses some of the batches whose gap the window must count, and keeps all others. */
  private static List<CacheEventBatch> lose(
      List<CacheEventBatch> all, List<CacheEventBatch> kept, Predicate<CacheEventBatch> losing) {
    List<CacheEventBatch> lost = new ArrayList<>();
    for (CacheEventBatch batch : all) {
      long intoMs = batch.eventTimeMs() - T;
      // What comes after a gap reveals it, and its partition's time must go on by the bound.
      boolean counted = intoMs >= 0 && intoMs < WINDOW_MS - 30_000;
      (counted && losing.test(batch) ? lost : kept).add(batch);
    }
    return lost;
  }

  /**
   * The window's rows over all policies, after all that was told: the total's and the replicas'.
   */
  private static List<RoutingStats> rows(List<Served> traffic, List<CacheEventBatch> batches)
      throws Exception {
    Arrivals<RequestEvent> requests = new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
    Arrivals<CacheEventBatch> cacheEvents =
        new Arrivals<>(Topics.CACHE_EVENTS, JsonForm.CACHE_EVENTS);
    try (Pipeline pipeline = new Pipeline(CONFIG, null)) {
      for (Served each : traffic.stream().sorted(Comparator.comparing(Served::endMs)).toList()) {
        Request request =
            Request.at(each.endMs)
                .replica("replica-" + each.replica)
                .prompt(each.prompt)
                .cached(each.cached)
                .e2e(1_000 * (each.endMs - each.arrivalMs));
        pipeline.request(requests.onTime(0, request.finished()));
      }
      for (CacheEventBatch batch : batches) {
        pipeline.cacheEvents(cacheEvents.onTime(0, batch));
      }
      pipeline.watermark(T + 2 * WINDOW_MS);
      Map<String, RoutingStats> last = new TreeMap<>();
      pipeline.rows().stream()
          .filter(row -> row.policy().equals(RoutingStats.ALL) && row.windowSizeMs() == WINDOW_MS)
          .filter(row -> row.windowEndMs() == T + WINDOW_MS)
          .forEach(row -> last.put(row.replica(), row));
      assertEquals(1 + REPLICAS, last.size());
      return List.copyOf(last.values());
    }
  }
}
