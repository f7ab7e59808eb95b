package io.warmpath.console.metrics;

import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.List;
import java.util.Locale;

/** The published weights and their lease. */
final class WeightMetrics {

  /** Why the control law may hold weights; a series must not follow a word from a record. */
  private static final List<String> FREEZES = List.of("event_gaps", "rejecting", "too_few_samples");

  private static final String OTHER = "other";

  private static final int MAX_POLICIES = 64;
  private static final int MAX_POLICY_LENGTH = 256;

  static final MetricSpec WEIGHT =
      ofReplica(
          "warmpath_replica_weight",
          "ratio",
          "Published weight of the replica, relative to a mean of 1. Gone with the lease.");
  static final MetricSpec SECONDS_PER_TOKEN =
      ofReplica(
          "warmpath_replica_seconds_per_token",
          "seconds/token",
          "Learned prefill time a token that is not in the cache.");
  static final MetricSpec INTERCEPT =
      ofReplica(
          "warmpath_replica_intercept_seconds",
          "seconds",
          "Learned time to first token that no token explains.");
  static final MetricSpec FIT_SAMPLES =
      ofReplica("warmpath_replica_fit_samples", "requests", "Requests behind the learned speed.");
  static final MetricSpec STATE =
      ofReplica(
          "warmpath_replica_state",
          "0 or 1",
          "1 for the state that the control law has the replica in, 0 for the others: active,"
              + " warming, degraded, suspect.",
          "state");
  static final MetricSpec LEASE =
      ofModel(
          "warmpath_weights_lease_remaining_seconds",
          "seconds",
          "Time left of the weights' lease; negative once it has run out.");
  static final MetricSpec AGE =
      ofModel(
          "warmpath_weights_age_seconds",
          "seconds",
          "Time since the end of the window that decided the weights.");
  static final MetricSpec EPOCH =
      ofModel(
          "warmpath_weights_epoch_timestamp_seconds",
          "seconds since 1970",
          "End of the window that decided the weights.");
  static final MetricSpec FROZEN =
      ofModel(
          "warmpath_weights_frozen", "0 or 1", "1 while weights are held as they were, else 0.");
  static final MetricSpec FREEZE =
      ofModel(
          "warmpath_weights_freeze",
          "0 or 1",
          "1 for the reason why weights are held, 0 for the others: event_gaps, rejecting,"
              + " too_few_samples, other.",
          "reason");
  static final MetricSpec SHARE =
      ofModel(
          "warmpath_policy_share",
          "ratio",
          "Share of the conversations that a policy is given.",
          "policy");

  static final List<MetricSpec> ALL =
      List.of(
          WEIGHT,
          SECONDS_PER_TOKEN,
          INTERCEPT,
          FIT_SAMPLES,
          STATE,
          LEASE,
          AGE,
          EPOCH,
          FROZEN,
          FREEZE,
          SHARE);

  private WeightMetrics() {}

  private static MetricSpec ofModel(String name, String unit, String help) {
    return MetricSpec.gauge(name, unit, help, "model");
  }

  private static MetricSpec ofModel(String name, String unit, String help, String label) {
    return MetricSpec.gauge(name, unit, help, "model", label);
  }

  private static MetricSpec ofReplica(String name, String unit, String help) {
    return MetricSpec.gauge(name, unit, help, "model", "replica");
  }

  private static MetricSpec ofReplica(String name, String unit, String help, String label) {
    return MetricSpec.gauge(name, unit, help, "model", "replica", label);
  }

  static void write(MetricsText text, RoutingWeights weights, long nowMs) {
    String model = weights.model();
    long remainingMs = weights.validUntilMs() - nowMs;
    text.sample(LEASE, Seconds.ofMillis(remainingMs), model);
    text.sample(AGE, Seconds.ofMillis(nowMs - weights.windowEndMs()), model);
    text.sample(EPOCH, Seconds.ofMillis(weights.epoch()), model);
    writeFreeze(text, model, weights.frozen());
    if (remainingMs <= 0) {
      return; // No balancer follows them any more.
    }
    weights.policies().stream()
        .filter(policy -> policy.policy().length() <= MAX_POLICY_LENGTH)
        .limit(MAX_POLICIES)
        .forEach(policy -> text.sample(SHARE, policy.share(), model, policy.policy()));
    for (ReplicaWeight replica : weights.replicas()) {
      write(text, model, replica);
    }
  }

  private static void writeFreeze(MetricsText text, String model, String frozen) {
    text.sample(FROZEN, frozen == null ? 0 : 1, model);
    for (String reason : FREEZES) {
      text.sample(FREEZE, reason.equals(frozen) ? 1 : 0, model, reason);
    }
    text.sample(FREEZE, frozen == null || FREEZES.contains(frozen) ? 0 : 1, model, OTHER);
  }

  private static void write(MetricsText text, String model, ReplicaWeight replica) {
    String name = replica.replica();
    text.sample(WEIGHT, replica.weight(), model, name);
    text.sample(SECONDS_PER_TOKEN, Seconds.ofMicros(replica.usPerToken()), model, name);
    text.sample(INTERCEPT, Seconds.ofMicros(replica.interceptUs()), model, name);
    text.sample(FIT_SAMPLES, replica.samples(), model, name);
    for (ReplicaState state : ReplicaState.values()) {
      text.sample(
          STATE,
          replica.state() == state ? 1 : 0,
          model,
          name,
          state.name().toLowerCase(Locale.ROOT));
    }
  }
}
