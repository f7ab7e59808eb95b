package io.warmpath.console.metrics;

import io.warmpath.schemas.weights.WeightDecision;
import java.util.List;

/** How the newest decision came to its weights. */
final class DecisionMetrics {

  static final MetricSpec WEIGHT =
      MetricSpec.gauge(
          "warmpath_decision_weight",
          "ratio",
          "The replica's weight in the newest decision by stage: before it, target of the fits,"
              + " damped by smoothing and step limit, clamped to what is published.",
          "model",
          "replica",
          "stage");

  static final List<MetricSpec> ALL = List.of(WEIGHT);

  private DecisionMetrics() {}

  /** Writes a model's newest decision, as long as its lease lasts. */
  static void write(MetricsText text, WeightDecision newest, long nowMs) {
    if (newest.validUntilMs() <= nowMs) {
      return;
    }
    for (WeightDecision.Step step : newest.replicas()) {
      text.sample(WEIGHT, step.before(), newest.model(), step.replica(), "before");
      text.sample(WEIGHT, step.target(), newest.model(), step.replica(), "target");
      text.sample(WEIGHT, step.damped(), newest.model(), step.replica(), "damped");
      text.sample(WEIGHT, step.clamped(), newest.model(), step.replica(), "clamped");
    }
  }
}
