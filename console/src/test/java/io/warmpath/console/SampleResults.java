package io.warmpath.console;

import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.CounterStats;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.stats.StatsFlags;
import io.warmpath.schemas.weights.PolicyShare;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.ArrayList;
import java.util.List;

/** Records as the jobs would publish them. */
public final class SampleResults {

  public static final String MODEL = "warmpath-demo";
  public static final String ALL = RoutingStats.ALL;

  private SampleResults() {}

  /** A row whose prompt tokens are all accounted for; TTFT p50 = p95 / 3, p99 = 1.4 p95. */
  public static RoutingStats row(
      String policy, String replica, long sizeMs, long endMs, long requests, long p95Us) {
    return row(MODEL, policy, replica, sizeMs, endMs, requests, p95Us, 0.6);
  }

  public static RoutingStats row(
      String model,
      String policy,
      String replica,
      long sizeMs,
      long endMs,
      long requests,
      long p95Us,
      double hitRate) {
    long prompt = requests * 4_000;
    long delivered = Math.round(prompt * hitRate);
    long lost = prompt - delivered;
    long routing = lost / 2;
    long capacity = lost / 8;
    long load = lost / 16;
    LostTokens fates =
        new LostTokens(lost - routing - capacity - load, capacity, load, routing, 0, 0);
    boolean rollUp = policy.equals(ALL);
    return new RoutingStats(
        endMs - sizeMs,
        endMs,
        model,
        policy,
        replica,
        false,
        requests,
        requests,
        0,
        0,
        0,
        requests,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        requests * 1000.0 / sizeMs,
        prompt,
        delivered,
        0,
        0,
        prompt == 0 ? null : (double) delivered / prompt,
        prompt == 0 ? null : 0.9,
        latency(requests, p95Us),
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        fates,
        routing,
        rollUp ? new CacheStats(120, 80, 0, 0, 0, 0) : null,
        null,
        rollUp ? CounterStats.of(prompt, delivered) : null,
        null,
        null,
        rollUp && sizeMs == 300_000 ? new StatsFlags(false, null, true) : null);
  }

  private static Distribution latency(long count, long p95Us) {
    return count == 0
        ? Distribution.EMPTY
        : new Distribution(
            count,
            count * p95Us / 2,
            p95Us / 3,
            p95Us * 8 / 10,
            p95Us,
            p95Us * 14 / 10,
            p95Us * 2,
            p95Us * 7 / 10,
            count < 72 ? null : p95Us * 13 / 10,
            "AAAA");
  }

  /** Weights for {@code replica-0} and so on, one a replica. */
  public static RoutingWeights weights(long epoch, double... weights) {
    List<ReplicaWeight> replicas = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      replicas.add(
          new ReplicaWeight(
              "replica-" + i,
              weights[i],
              weights[i] < 0.7 ? ReplicaState.DEGRADED : ReplicaState.ACTIVE,
              9_000,
              68.5 / Math.max(0.1, weights[i]),
              140 + i,
              weights[i] < 0.7 ? "slower" : "steady"));
    }
    return new RoutingWeights(
        MODEL,
        epoch,
        epoch + 30_000,
        epoch,
        0.15,
        null,
        replicas,
        List.of(new PolicyShare("adaptive", 1, "configured")));
  }

  /**
   * What a policy would have given over the minute before, at half to four times the KV capacity.
   */
  public static ShadowStats shadow(String policy, long endMs, double hitRate, long p95Us) {
    List<ShadowStats.Capacity> capacities = new ArrayList<>();
    double[] factors = {0.5, 1, 2, 4};
    for (int i = 0; i < factors.length; i++) {
      double rate = Math.min(1, hitRate * (0.8 + 0.2 * i));
      capacities.add(
          new ShadowStats.Capacity(
              factors[i],
              Math.round(400_000 * rate),
              rate,
              0.012,
              0.004,
              latency(100, Math.round(p95Us * (1.1 - 0.1 * i)))));
    }
    return new ShadowStats(
        endMs - 60_000, endMs, MODEL, policy, 0.1, 100, 400_000, List.copyOf(capacities));
  }

  /** A decision that moves the weights of {@code replica-0} and so on from one to the other. */
  public static WeightDecision decision(long epoch, double[] before, double[] after) {
    List<WeightDecision.Step> steps = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      steps.add(
          new WeightDecision.Step(
              "replica-" + i,
              ReplicaState.ACTIVE,
              9_000,
              68.5 / Math.max(0.1, after[i]),
              140 + i,
              100,
              0,
              before[i],
              after[i],
              after[i],
              after[i],
              after[i] < before[i] ? "down" : after[i] > before[i] ? "up" : "steady"));
    }
    return new WeightDecision(
        MODEL,
        epoch,
        epoch + 30_000,
        epoch,
        0.15,
        null,
        steps,
        List.of(new PolicyShare("adaptive", 1, "configured")));
  }

  /** A record that no job could use. */
  public static DeadLetter deadLetter(String topic, Reason reason) {
    return DeadLetter.of(topic, 0, 1, reason, "no good", new byte[] {1});
  }
}
