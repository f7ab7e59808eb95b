package io.warmpath.lab.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.replay.Replay;
import io.warmpath.lab.replay.ReplayOptions;
import io.warmpath.lab.replay.ReplayReport;
import io.warmpath.lab.replay.SmallTraces;
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
import org.junit.jupiter.api.Test;

/** Replicas of which one batch of cache events in a hundred gets lost, and what the rows say. */
class LostCacheEventsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int CONVERSATIONS = 15;
  private static final int TURNS = 8;
  private static final int REPLICAS = 2;

  @Test
  void gapsAreCountedAndTheSourcesDisagreeByWhatWasLost() throws IOException {
    List<CacheEventBatch> lost = LossySink.losses();
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
            WarmpathStack.start(config, part -> {}, replica -> LossySink.start(replica, lost));
        TopicHistory<RoutingStats> stats =
            TopicHistory.follow(
                stack.bootstrapServers(), Topics.ROUTING_STATS, Codecs.ROUTING_STATS)) {
      ReplayReport report =
          new Replay(
                  SmallTraces.conversations(CONVERSATIONS, TURNS, 200, 1),
                  new ReplayOptions(
                      stack.balancer(), StackConfig.MODEL, 4, Duration.ofSeconds(60), 1000))
              .run(progress -> {});
      assertEquals(CONVERSATIONS * TURNS, report.ok());
      // Each replica lost one at least.
      assertTrue(lost.size() >= REPLICAS, lost::toString);

      RoutingStats row = stats.await(rows -> whole(rows, lost, report), PATIENCE).orElseThrow();

      assertEquals(lost.size(), row.cache().gaps());
      assertEquals(report.cachedTokens(), row.cachedTokens());
      assertEquals(row.cachedTokens() - LossySink.prefillHits(lost), row.prefill().cachedTokens());
      assertEquals(
          row.cachedTokens() - LossySink.counters(lost, CacheEvent.Counters::hitTokens),
          row.counters().hitTokens());
      assertEquals(true, row.flags().sourcesDisagree());
      assertEquals(false, row.flags().cacheSilent());
    }
  }

  /** A total of five minutes, once it holds all requests, all that was told of them, the gaps. */
  private static Optional<RoutingStats> whole(
      List<Seen<RoutingStats>> rows, List<CacheEventBatch> lost, ReplayReport report) {
    long toldTokens =
        report.promptTokens() - LossySink.counters(lost, CacheEvent.Counters::queriedTokens);
    return rows.stream()
        .map(Seen::value)
        .filter(row -> row.isTotal() && row.windowSizeMs() == 300_000)
        .filter(row -> row.requests() == CONVERSATIONS * TURNS)
        .filter(row -> row.counters() != null && row.counters().queriedTokens() >= toldTokens)
        .filter(row -> row.cache().gaps() >= lost.size())
        .findFirst();
  }
}
