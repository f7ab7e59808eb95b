package io.warmpath.console.state;

import io.warmpath.schemas.stats.LostTokens;

/**
 * Where prompt tokens went. They add up: {@code prompt = delivered + indexOver − indexUnder +
 * routing + loadJustified + capacity + neverSeen}.
 *
 * @param delivered taken from the chosen replica's cache
 * @param indexOver predicted there, but not delivered
 * @param indexUnder delivered beyond the prediction
 * @param routing held by an admissible replica that was not chosen
 * @param loadJustified held only by replicas that were too loaded
 * @param capacity evicted everywhere
 * @param neverSeen new
 */
public record PromptFates(
    long delivered,
    long indexOver,
    long indexUnder,
    long routing,
    long loadJustified,
    long capacity,
    long neverSeen) {

  static PromptFates of(long delivered, LostTokens lost) {
    return new PromptFates(
        delivered,
        lost.indexOver(),
        lost.indexUnder(),
        lost.routing(),
        lost.loadJustified(),
        lost.capacity(),
        lost.neverSeen());
  }
}
