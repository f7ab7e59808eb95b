package io.warmpath.console.source;

import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;

/**
 * Takes what a {@link ResultSource} reads, and leaves out what it has no use for. Called by one
 * thread at a time.
 */
public interface ResultHandler {

  default void onStats(RoutingStats row) {}

  default void onWeights(RoutingWeights weights) {}

  default void onShadow(ShadowStats window) {}

  default void onDecision(WeightDecision decision) {}

  /** A record that no job could use; only those since the source was started. */
  default void onDeadLetter(DeadLetter letter) {}

  /** A record that is none of its topic. */
  void onInvalid(String topic, RuntimeException reason);

  /** All that was on the topics at the start has been handed over. Called once, if ever. */
  default void onCaughtUp() {}
}
