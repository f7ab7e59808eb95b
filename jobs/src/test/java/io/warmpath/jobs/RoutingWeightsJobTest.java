package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.InboundSerializer;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.CollectingSink;
import io.warmpath.jobs.testing.Rows;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class RoutingWeightsJobTest {

  private static final long T = 1_796_083_200_000L;

  private static final WeightsJobConfig CONFIG =
      WeightsJobConfig.parse("--bootstrap-servers", "none:0", "--checkpoint-interval", "0s");

  private final Arrivals<RoutingStats> stats = new Arrivals<>(Topics.ROUTING_STATS, JsonForm.STATS);
  private final CollectingSink<RoutingWeights> weights = new CollectingSink<>();
  private final CollectingSink<WeightDecision> decisions = new CollectingSink<>();
  private final CollectingSink<Refusal> refusals = new CollectingSink<>();

  @Test
  void publishesWeightsAndReasonsOnAMiniCluster() throws Exception {
    run(
        List.of(
            stats.onTime(0, Rows.replica("replica-0", T, 40)),
            stats.onTime(0, Rows.replica("replica-1", T, 40)),
            stats.onTime(0, Rows.replica("replica-2", T, 80)),
            stats.onTime(0, Rows.total(T)),
            stats.bytes(0, T, "[]".getBytes(StandardCharsets.UTF_8))));

    RoutingWeights published = weights.collected().get(0);
    assertEquals(1, weights.collected().size());
    assertEquals("m", published.model());
    assertEquals(T, published.epoch());
    assertEquals(T + 30_000, published.validUntilMs());
    assertEquals(0.25, published.backlogShare());
    assertEquals(
        List.of("replica-0", "replica-1", "replica-2"),
        published.replicas().stream().map(ReplicaWeight::replica).toList());
    assertEquals(List.of(T), decisions.collected().stream().map(WeightDecision::epoch).toList());
    assertEquals(1, refusals.collected().size());
    assertEquals(4, refusals.collected().get(0).letter().offset());
  }

  private void run(List<Inbound<RoutingStats>> rows) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2);
    RoutingWeightsJob.define(
        env,
        env.fromData(rows, InboundSerializer.typeOf(JsonForm.STATS)).uid("rows"),
        new WeightsSinks(weights, decisions, new CollectingSink<>(), refusals),
        CONFIG);
    env.execute();
  }
}
