package io.warmpath.schemas.stats;

import io.warmpath.schemas.Require;

/**
 * Where the prompt tokens went that were not delivered from a cache. With the delivered ones they
 * add up: {@code prompt = delivered + index_over − index_under + routing + load_justified +
 * capacity + never_seen}.
 *
 * @param neverSeen no replica ever held them
 * @param capacity some replica held them once, none does now
 * @param loadJustified held only by replicas that the load bound ruled out
 * @param routing held by an admissible replica that was not chosen
 * @param indexOver predicted on the chosen replica, but not delivered
 * @param indexUnder delivered beyond the prediction
 */
public record LostTokens(
    long neverSeen,
    long capacity,
    long loadJustified,
    long routing,
    long indexOver,
    long indexUnder) {

  public static final LostTokens NONE = new LostTokens(0, 0, 0, 0, 0, 0);

  public LostTokens {
    Require.notNegative(neverSeen, "lost_tokens.never_seen");
    Require.notNegative(capacity, "lost_tokens.capacity");
    Require.notNegative(loadJustified, "lost_tokens.load_justified");
    Require.notNegative(routing, "lost_tokens.routing");
    Require.notNegative(indexOver, "lost_tokens.index_over");
    Require.notNegative(indexUnder, "lost_tokens.index_under");
  }

  /** Both, added up. */
  public LostTokens plus(LostTokens other) {
    return new LostTokens(
        neverSeen + other.neverSeen,
        capacity + other.capacity,
        loadJustified + other.loadJustified,
        routing + other.routing,
        indexOver + other.indexOver,
        indexUnder + other.indexUnder);
  }
}
