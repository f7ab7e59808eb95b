package io.warmpath.console.metrics;

import io.warmpath.console.state.ModelView;
import io.warmpath.console.state.ReplicaView;
import io.warmpath.console.state.WeightPoint;
import java.util.List;

/** Whether the control loop is steady, from the published weights that the console keeps. */
final class LoopMetrics {

  /** Why a weight may be what it is; a series must not follow a word from a record. */
  private static final List<String> REASONS =
      List.of("steady", "up", "down", "step_limit", "floor", "ceiling", "slow_start", "frozen");

  private static final String OTHER = "other";

  static final MetricSpec STEP =
      MetricSpec.gauge(
          "warmpath_weight_step_ratio",
          "ratio",
          "Last change of the replica's weight, relative to the weight before.",
          "model",
          "replica");
  static final MetricSpec LARGEST_STEP =
      MetricSpec.gauge(
          "warmpath_weight_largest_step_ratio",
          "ratio",
          "Largest of the last changes of the replicas' weights, either way.",
          "model");
  static final MetricSpec REVERSALS =
      MetricSpec.gauge(
          "warmpath_weight_reversals",
          "reversals",
          "Changes of direction of the replica's weight in those that the console keeps, at most"
              + " the last 200 of 15 minutes.",
          "model",
          "replica");
  static final MetricSpec REASON =
      MetricSpec.gauge(
          "warmpath_replica_weight_reason",
          "1",
          "1 for the reason why the replica's weight is what it is: steady, up, down, step_limit,"
              + " floor, ceiling, slow_start, frozen, other.",
          "model",
          "replica",
          "reason");

  static final List<MetricSpec> ALL = List.of(STEP, LARGEST_STEP, REVERSALS, REASON);

  private LoopMetrics() {}

  /** Writes what the weights of a model did; only of replicas that the newest ones list. */
  static void write(MetricsText text, ModelView model) {
    if (model.windows().isEmpty() || model.lease() == null || model.lease().remainingMs() <= 0) {
      return;
    }
    Double largest = null;
    for (ReplicaView replica : model.windows().get(0).replicas()) {
      if (replica.weight() == null) {
        continue;
      }
      String reason = replica.weight().reason();
      text.sample(
          REASON, 1, model.model(), replica.replica(), REASONS.contains(reason) ? reason : OTHER);
      List<WeightPoint> past = replica.weightHistory();
      Double step = step(past);
      text.sample(STEP, step, model.model(), replica.replica());
      text.sample(REVERSALS, reversals(past), model.model(), replica.replica());
      if (step != null && (largest == null || Math.abs(step) > largest)) {
        largest = Math.abs(step);
      }
    }
    text.sample(LARGEST_STEP, largest, model.model());
  }

  private static Double step(List<WeightPoint> past) {
    if (past.size() < 2) {
      return null;
    }
    double before = past.get(past.size() - 2).weight();
    return before > 0 ? past.get(past.size() - 1).weight() / before - 1 : null;
  }

  /** A hold is no direction: up, hold, up is no reversal. */
  static int reversals(List<WeightPoint> past) {
    int reversals = 0;
    double last = 0;
    for (int i = 1; i < past.size(); i++) {
      double direction = Math.signum(past.get(i).weight() - past.get(i - 1).weight());
      if (direction != 0) {
        if (last != 0 && direction != last) {
          reversals++;
        }
        last = direction;
      }
    }
    return reversals;
  }
}
