package io.warmpath.lab.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.lab.EmulatedCuda;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.replay.Replay;
import io.warmpath.lab.replay.ReplayOptions;
import io.warmpath.lab.replay.ReplayReport;
import io.warmpath.lab.replay.SmallTraces;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.replica.cuda.TransformerModel;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two replicas on the CUDA engine, one of them slowed: what the weights learn from its GPU time.
 */
class GpuTimeToWeightsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(150);
  private static final String SLOW = StackConfig.replicaName(0);
  private static final String FAST = StackConfig.replicaName(1);
  private static final int CONVERSATIONS = 25;
  private static final int TURNS = 2;
  private static final int GAP_MS = 1_000;

  /** The slow one takes 2.5 times as long, of which other work of the machine may hide a part. */
  private static final double FACTOR = 0.4;

  private static final double AT_LEAST = 1.5;

  @BeforeAll
  static void loadDriver() throws Exception {
    EmulatedCuda.load();
  }

  @Test
  void aSlowGpuLosesWeightThroughItsOwnTime() throws Exception {
    StackConfig config =
        new StackConfig(
            StackPorts.FREE,
            2,
            EngineProfile.load("founding"),
            1,
            "round_robin",
            1,
            Optional.empty());
    try (WarmpathStack stack = WarmpathStack.start(config, part -> {}, GpuTimeToWeightsIT::onCuda);
        TopicHistory<RoutingStats> stats =
            TopicHistory.follow(
                stack.bootstrapServers(), Topics.ROUTING_STATS, Codecs.ROUTING_STATS);
        TopicHistory<RoutingWeights> weights =
            TopicHistory.follow(
                stack.bootstrapServers(), Topics.ROUTING_WEIGHTS, Codecs.ROUTING_WEIGHTS)) {
      stack.fleet().setSpeed(SLOW, FACTOR);

      ReplayReport report =
          new Replay(
                  SmallTraces.conversations(CONVERSATIONS, TURNS, GAP_MS, 3),
                  new ReplayOptions(
                      stack.balancer(), StackConfig.MODEL, 1, Duration.ofSeconds(60), 1000))
              .run(progress -> {});

      assertEquals(CONVERSATIONS * TURNS, report.ok(), () -> report.errors().toString());
      stats
          .await(rows -> fittedByGpu(rows, SLOW).filter(slow -> slower(rows, slow)), PATIENCE)
          .orElseThrow(() -> new AssertionError(stats.records().toString()));
      weights
          .await(GpuTimeToWeightsIT::lighter, PATIENCE)
          .orElseThrow(() -> new AssertionError(weights.records().toString()));
    }
  }

  /** The stack's replica, with a small transformer in place of its profile. */
  private static ReplicaServer onCuda(ReplicaConfig modelled) {
    return ReplicaServer.start(
        ReplicaConfig.builder()
            .name(modelled.name())
            .model(modelled.model())
            .host(modelled.host())
            .port(modelled.port())
            .cuda(TransformerModel.load("tiny"))
            .kvBlocks(1_024)
            .kafka(modelled.kafka())
            .build());
  }

  private static Optional<FitStats> fittedByGpu(List<Seen<RoutingStats>> rows, String replica) {
    return rows.stream()
        .map(Seen::value)
        .filter(row -> row.policy().equals(RoutingStats.ALL) && row.replica().equals(replica))
        .map(RoutingStats::fit)
        .filter(fit -> fit != null && fit.source() == FitStats.Source.GPU)
        .reduce((earlier, later) -> later);
  }

  private static boolean slower(List<Seen<RoutingStats>> rows, FitStats slow) {
    return fittedByGpu(rows, FAST)
        .filter(fast -> slow.usPerToken() > AT_LEAST * fast.usPerToken())
        .isPresent();
  }

  /** The first weights by which the slow replica is slower, and has as much less. */
  private static Optional<RoutingWeights> lighter(List<Seen<RoutingWeights>> all) {
    return all.stream()
        .map(Seen::value)
        .filter(
            each -> {
              Optional<ReplicaWeight> slow = of(each, SLOW);
              Optional<ReplicaWeight> fast = of(each, FAST);
              return slow.isPresent()
                  && fast.isPresent()
                  && slow.get().usPerToken() > AT_LEAST * fast.get().usPerToken()
                  && slow.get().weight() < fast.get().weight() / AT_LEAST;
            })
        .findFirst();
  }

  private static Optional<ReplicaWeight> of(RoutingWeights weights, String replica) {
    return weights.replicas().stream().filter(each -> each.replica().equals(replica)).findFirst();
  }
}
