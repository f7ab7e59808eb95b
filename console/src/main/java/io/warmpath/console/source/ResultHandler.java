package io.warmpath.console.source;

import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.weights.RoutingWeights;

/** Takes what a {@link ResultSource} reads. Called by one thread at a time. */
public interface ResultHandler {

  void onStats(RoutingStats row);

  void onWeights(RoutingWeights weights);

  /** A record that is none of its topic. */
  void onInvalid(String topic, RuntimeException reason);

  /** All that was on the topics at the start has been handed over. Called once, if ever. */
  default void onCaughtUp() {}
}
