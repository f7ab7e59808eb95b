package io.warmpath.jobs.pane;

/**
 * What a pane keeps distributions of. State holds them in this order, so new ones go to the end and
 * none is ever removed.
 */
public enum Timing {
  /** Time to first token, from first_token events. */
  TTFT,
  /** Likewise, of finished requests with cached tokens. */
  TTFT_HIT,
  /** Likewise, of finished requests known to have none. */
  TTFT_MISS,
  /** Whole time of ok requests. */
  E2E;

  static final int SIZE = values().length;
}
