package io.warmpath.lab.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.replay.Replay;
import io.warmpath.lab.replay.ReplayOptions;
import io.warmpath.lab.replay.ReplayReport;
import io.warmpath.lab.replay.SmallTraces;
import io.warmpath.lab.trace.Trace;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Replicas of which one batch of cache events in a hundred gets lost, and what the rows say. */
class LostCacheEventsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int CONVERSATIONS = 15;
  private static final int TURNS = 8;
  private static final int REPLICAS = 2;
  private static final int LAST_TURNS = 2 * REPLICAS;
  private static final int REQUESTS = CONVERSATIONS * TURNS + LAST_TURNS;

  @Test
  void gapsAreCountedAndTheSourcesDisagreeByWhatWasLost() throws IOException {
    List<CacheEventBatch> lost = LossySink.losses();
    AtomicBoolean losing = new AtomicBoolean(true);
    StackConfig config =
        new StackConfig(
            StackPorts.FREE,
            REPLICAS,
            EngineProfile.load("llama-3.1-8b-h100"),
            4,
            "round_robin",
            2,
            Optional.empty());
    try (WarmpathStack stack =
            WarmpathStack.start(
                config, part -> {}, replica -> LossySink.start(replica, lost, losing::get));
        TopicHistory<RoutingStats> stats =
            TopicHistory.follow(
                stack.bootstrapServers(), Topics.ROUTING_STATS, Codecs.ROUTING_STATS)) {
      ReplayReport first = replay(stack, SmallTraces.conversations(CONVERSATIONS, TURNS, 200, 1));
      // What was lost shows only by what comes after it: each replica answers once more at least.
      losing.set(false);
      ReplayReport last = replay(stack, SmallTraces.conversations(1, LAST_TURNS, 200, 2));
      assertEquals(REQUESTS, first.ok() + last.ok());
      long cachedTokens = first.cachedTokens() + last.cachedTokens();
      long promptTokens = first.promptTokens() + last.promptTokens();
      // Each replica lost one at least.
      assertTrue(lost.size() >= REPLICAS, lost::toString);

      RoutingStats row =
          stats
              .await(rows -> whole(rows, lost, promptTokens), PATIENCE)
              .orElseThrow(() -> new AssertionError(told(stats, lost, promptTokens)));

      assertEquals(lost.size(), row.cache().gaps());
      assertEquals(cachedTokens, row.cachedTokens());
      assertEquals(row.cachedTokens() - LossySink.prefillHits(lost), row.prefill().cachedTokens());
      assertEquals(
          row.cachedTokens() - LossySink.counters(lost, CacheEvent.Counters::hitTokens),
          row.counters().hitTokens());
      assertEquals(false, row.flags().cacheSilent());
    }
  }

  private static ReplayReport replay(WarmpathStack stack, Trace trace) throws IOException {
    return new Replay(
            trace,
            new ReplayOptions(stack.balancer(), StackConfig.MODEL, 4, Duration.ofSeconds(60), 1000))
        .run(progress -> {});
  }

  /**
   * A total of five minutes, once it holds all requests, all that was told of them, the gaps, and
   * no request of a replica that lost some is so near its end that this might have cut it.
   */
  private static Optional<RoutingStats> whole(
      List<Seen<RoutingStats>> rows, List<CacheEventBatch> lost, long promptTokens) {
    long toldTokens = promptTokens - LossySink.counters(lost, CacheEvent.Counters::queriedTokens);
    return rows.stream()
        .map(Seen::value)
        .filter(row -> row.isTotal() && row.windowSizeMs() == 300_000)
        .filter(row -> row.requests() == REQUESTS)
        .filter(row -> row.counters() != null && row.counters().queriedTokens() >= toldTokens)
        .filter(row -> row.cache().gaps() >= lost.size())
        .filter(row -> lost.stream().allMatch(batch -> disagrees(rows, row, batch.replica())))
        .findFirst();
  }

  /** Whether the sources disagree of a replica over the time of a total. */
  private static boolean disagrees(
      List<Seen<RoutingStats>> rows, RoutingStats total, String replica) {
    return rows.stream()
        .map(Seen::value)
        .filter(row -> row.policy().equals(RoutingStats.ALL) && row.replica().equals(replica))
        .filter(row -> row.windowSizeMs() == total.windowSizeMs())
        .filter(row -> row.windowEndMs() == total.windowEndMs())
        .reduce((first, last) -> last)
        .filter(row -> Boolean.TRUE.equals(row.flags().sourcesDisagree()))
        .isPresent();
  }

  /** The last that was told, for whoever looks for what is missing. */
  private static String told(
      TopicHistory<RoutingStats> stats, List<CacheEventBatch> lost, long promptTokens) {
    return "%d prompt tokens; lost: %s; rows: %s"
        .formatted(
            promptTokens,
            lost,
            stats.records().stream()
                .map(Seen::value)
                .filter(row -> row.policy().equals(RoutingStats.ALL))
                .filter(row -> row.windowSizeMs() == 300_000)
                .toList());
  }
}
