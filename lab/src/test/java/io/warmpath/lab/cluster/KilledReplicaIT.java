package io.warmpath.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.BalancerServer;
import io.warmpath.balancer.ModelConfig;
import io.warmpath.balancer.ReplicaAddress;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.tokenize.TokenizeSettings;
import io.warmpath.bridge.follow.ReplaySettings;
import io.warmpath.bridge.state.BatchSink;
import io.warmpath.bridge.zmq.EngineLoop;
import io.warmpath.bridge.zmq.PublisherAddress;
import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.stack.Parts;
import io.warmpath.lab.stack.StackConfig;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.replica.events.KafkaEventSink;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.JsonCodec;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas in JVMs of their own that publish as a vLLM does, followed by the bridge, behind a
 * balancer that asks the engine for tokens: what it predicts of each request's hit, also after one
 * of them was killed and started again.
 */
class KilledReplicaIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final double SHARE = 0.99;
  private static final int GAP_MS = 50;
  private static final int BLOCK_TOKENS = 16;

  private static final int BEFORE = 200;

  /** As many as bring every chat to either replica twice. */
  private static final int AFTER = 60;

  private static final int ONE_BY_ONE = 6;

  /** Longer than all requests before the kill take. */
  private static final long WINDOW_MS = 60_000;

  @TempDir Path folder;
  private final Parts parts = new Parts();

  @AfterEach
  void close() {
    parts.close();
  }

  @Test
  void predictedHitsAreDeliveredAndAKilledReplicaGetsNoCreditForItsOldBlocks() {
    EmbeddedKafka kafka = parts.add(EmbeddedKafka.start(0));
    createTopics(kafka);
    TopicHistory<RequestEvent> requests = follow(kafka, Topics.REQUESTS, Codecs.REQUEST_EVENT);
    TopicHistory<CacheEventBatch> cacheEvents =
        follow(kafka, Topics.CACHE_EVENTS, Codecs.CACHE_EVENT_BATCH);
    TopicHistory<RoutingStats> stats = follow(kafka, Topics.ROUTING_STATS, Codecs.ROUTING_STATS);
    startStatsJob(kafka);
    List<ReplicaProcess> replicas = startReplicas();
    startBridge(kafka, replicas);
    ChatLoad load = parts.add(new ChatLoad(startBalancer(kafka, replicas), GAP_MS));

    // One after the other: what starts up answers late.
    for (int i = 0; i < ONE_BY_ONE; i++) {
      load.send(1);
    }
    load.send(BEFORE - ONE_BY_ONE);

    List<Finished> first = finished(requests, BEFORE);
    assertPredicted(first);
    assertRowsSayTheSame(stats, first);
    ReplicaProcess killed = replicas.get(0);
    long incarnation = incarnation(cacheEvents, killed, 0);
    killed.kill();
    killed.restart();
    incarnation(cacheEvents, killed, incarnation + 1);

    load.send(AFTER);

    List<Finished> all = finished(requests, BEFORE + AFTER);
    List<Finished> since = all.subList(BEFORE, BEFORE + AFTER);
    assertPredicted(all);
    List<Finished> onKilled =
        since.stream().filter(one -> one.context().replica().equals(killed.name())).toList();
    assertTrue(onKilled.size() > AFTER / 4, () -> onKilled.size() + " came to it");
    assertEquals(0, firstRouted(requests, onKilled).facts().chosenCachedTokens());
    assertTrue(first.stream().anyMatch(one -> one.cachedTokens() > 0));
    for (Finished one : onKilled) {
      assertTrue(one.facts().chosenCachedTokens() <= one.cachedTokens(), one::toString);
    }
  }

  private static void assertPredicted(List<Finished> finished) {
    List<Finished> wrong =
        finished.stream()
            .filter(one -> one.facts().chosenCachedTokens() != one.cachedTokens())
            .toList();
    double share = 1 - (double) wrong.size() / finished.size();
    assertTrue(share >= SHARE, () -> share + ": " + wrong);
  }

  /** The job's total over all of it: nothing predicted that did not come, and nothing more. */
  private static void assertRowsSayTheSame(
      TopicHistory<RoutingStats> stats, List<Finished> finished) {
    RoutingStats row =
        stats
            .await(
                rows ->
                    rows.stream()
                        .map(Seen::value)
                        .filter(each -> each.isTotal() && each.windowSizeMs() == WINDOW_MS)
                        .filter(each -> each.requests() == finished.size())
                        .findFirst(),
                PATIENCE)
            .orElseThrow();
    assertEquals(finished.stream().mapToLong(Finished::cachedTokens).sum(), row.cachedTokens());
    long apart = row.lostTokens().indexOver() + row.lostTokens().indexUnder();
    assertTrue(apart <= (1 - SHARE) * row.promptTokens(), row::toString);
  }

  private static List<Finished> finished(TopicHistory<RequestEvent> requests, int count) {
    return requests
        .await(
            events -> {
              List<Finished> finished =
                  events.stream()
                      .map(Seen::value)
                      .filter(Finished.class::isInstance)
                      .map(Finished.class::cast)
                      .sorted(Comparator.comparingLong(one -> one.context().eventTimeMs()))
                      .toList();
              return finished.size() < count ? Optional.empty() : Optional.of(finished);
            },
            PATIENCE)
        .orElseThrow();
  }

  /** The event of whichever of these requests was routed first. */
  private static Routed firstRouted(TopicHistory<RequestEvent> requests, List<Finished> among) {
    Set<String> ids =
        among.stream().map(one -> one.context().requestId()).collect(Collectors.toSet());
    return requests.records().stream()
        .map(Seen::value)
        .filter(Routed.class::isInstance)
        .map(Routed.class::cast)
        .filter(event -> ids.contains(event.context().requestId()))
        .min(Comparator.comparingLong(event -> event.context().eventTimeMs()))
        .orElseThrow();
  }

  /** The first incarnation that was told of a replica, from a number on. */
  private static long incarnation(
      TopicHistory<CacheEventBatch> cacheEvents, ReplicaProcess replica, long atLeast) {
    return cacheEvents
        .await(
            batches ->
                batches.stream()
                    .map(Seen::value)
                    .filter(batch -> batch.replica().equals(replica.name()))
                    .map(CacheEventBatch::incarnation)
                    .filter(incarnation -> incarnation >= atLeast)
                    .findFirst(),
            PATIENCE)
        .orElseThrow();
  }

  private static void createTopics(EmbeddedKafka kafka) {
    try (TopicCreator topics = new TopicCreator(client(kafka))) {
      topics.create(Topics.ALL, (short) 1);
    }
  }

  private <T extends WarmpathRecord> TopicHistory<T> follow(
      EmbeddedKafka kafka, String topic, JsonCodec<T> codec) {
    return parts.add(TopicHistory.follow(kafka.bootstrapServers(), topic, codec));
  }

  private void startStatsJob(EmbeddedKafka kafka) {
    EmbeddedFlink flink = parts.add(EmbeddedFlink.start(1));
    StatsJobConfig config = StatsJobConfig.parse("--bootstrap-servers", kafka.bootstrapServers());
    flink.run("routing-stats", 1, env -> RoutingStatsJob.attach(env, config));
  }

  private List<ReplicaProcess> startReplicas() {
    return Stream.of("replica-0", "replica-1")
        .map(name -> parts.add(new ReplicaProcess(name, folder, List.of("--time-scale", "4"))))
        .toList();
  }

  private void startBridge(EmbeddedKafka kafka, List<ReplicaProcess> replicas) {
    KafkaEventSink sink = parts.add(KafkaEventSink.connect("bridge", client(kafka)));
    EngineLoop loop =
        parts.add(
            new EngineLoop(
                new BatchSink() {
                  @Override
                  public boolean offer(CacheEventBatch batch) {
                    sink.send(batch);
                    return true;
                  }

                  @Override
                  public boolean hasRoom() {
                    return true;
                  }
                },
                List::of,
                ReplaySettings.DEFAULTS,
                1 << 20,
                System::currentTimeMillis));
    loop.start();
    for (ReplicaProcess replica : replicas) {
      loop.follow(
          replica.name(),
          StackConfig.MODEL,
          List.of(new PublisherAddress(0, replica.events(), replica.replay(), "")));
    }
  }

  private URI startBalancer(EmbeddedKafka kafka, List<ReplicaProcess> replicas) {
    List<ReplicaAddress> addresses =
        replicas.stream().map(one -> new ReplicaAddress(one.name(), one.uri())).toList();
    BalancerServer balancer =
        parts.add(
            BalancerServer.start(
                BalancerConfig.builder()
                    .listen("127.0.0.1", 0)
                    .admin("127.0.0.1", 0)
                    .model(
                        new ModelConfig(
                            StackConfig.MODEL,
                            TokenizerKind.ENGINE,
                            BLOCK_TOKENS,
                            addresses,
                            null,
                            // A busy machine must not decide what is known of a prompt.
                            new TokenizeSettings(Duration.ofSeconds(10))))
                    // Every chat comes to both, whatever they hold.
                    .policy("round_robin")
                    .kafka(client(kafka))
                    .timeScale(4)
                    .build()));
    return URI.create("http://127.0.0.1:" + balancer.port());
  }

  private static Map<String, Object> client(EmbeddedKafka kafka) {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }
}
