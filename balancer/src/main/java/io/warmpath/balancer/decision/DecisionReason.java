package io.warmpath.balancer.decision;

import io.warmpath.schemas.request.RoutingFacts;
import java.util.Locale;

/**
 * Why a request went where it went, as far as prompt caches tell; the same for all policies, also
 * those that ignore caches. The first that fits counts.
 */
public enum DecisionReason {
  /** An attempt on another replica had failed. */
  RETRY,
  /** No replica is known to hold any of the prompt. */
  COLD,
  /** No replica is known to hold more of the prompt. */
  WARMEST,
  /** Others hold more, but are out or have their share of open requests. */
  WARMEST_NOT_ADMISSIBLE,
  /** A replica that holds more could have been taken. */
  PASSED_OVER;

  private final String label = name().toLowerCase(Locale.ROOT);

  /**
   * @param attempt number of the attempt, from 0
   */
  public static DecisionReason of(RoutingFacts facts, int attempt) {
    if (attempt > 0) {
      return RETRY;
    }
    if (facts.bestCachedTokens() == 0) {
      return COLD;
    }
    if (facts.chosenCachedTokens() >= facts.bestCachedTokens()) {
      return WARMEST;
    }
    return facts.chosenCachedTokens() >= facts.bestAdmissibleCachedTokens()
        ? WARMEST_NOT_ADMISSIBLE
        : PASSED_OVER;
  }

  /** Its name in metrics and records. */
  public String label() {
    return label;
  }
}
