package io.warmpath.schemas.stats;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * Sums over the counters events of a window: how far the engines' own counters rose.
 *
 * @param queriedTokens prompt tokens looked up
 * @param hitTokens of them found
 * @param tokenHitRate hitTokens / queriedTokens; null when none were looked up
 */
public record CounterStats(
    long queriedTokens,
    long hitTokens,
    @JsonSerialize(using = SixDecimals.class) Double tokenHitRate) {

  public CounterStats {
    Require.notNegative(queriedTokens, "counters.queried_tokens");
    Require.notNegative(hitTokens, "counters.hit_tokens");
    Require.finite(tokenHitRate, "counters.token_hit_rate");
  }

  /** The sums with their rate. */
  public static CounterStats of(long queriedTokens, long hitTokens) {
    return new CounterStats(queriedTokens, hitTokens, SixDecimals.ratio(hitTokens, queriedTokens));
  }
}
