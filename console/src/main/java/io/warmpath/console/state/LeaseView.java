package io.warmpath.console.state;

import io.warmpath.schemas.weights.RoutingWeights;

/**
 * What holds for all published weights of a model.
 *
 * @param epoch window end that decided
 * @param validUntilMs end of the lease
 * @param remainingMs time left of it, negative once it has run out
 * @param frozen why weights are held as they were, or null
 */
public record LeaseView(long epoch, long validUntilMs, long remainingMs, String frozen) {

  static LeaseView of(RoutingWeights weights, long nowMs) {
    return new LeaseView(
        weights.epoch(), weights.validUntilMs(), weights.validUntilMs() - nowMs, weights.frozen());
  }
}
