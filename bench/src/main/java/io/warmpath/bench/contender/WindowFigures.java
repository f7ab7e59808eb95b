package io.warmpath.bench.contender;

/**
 * What a contender found in one window of a minute, for one model, policy and replica.
 *
 * @param key {@code model|policy|replica}
 * @param endMs first millisecond after the window
 * @param requests finished requests
 * @param p95Us 95th percentile of the end-to-end time of those answered; NaN where there were none
 */
public record WindowFigures(String key, long endMs, long requests, double p95Us) {

  /** Length of the windows, in milliseconds. */
  public static final long SIZE_MS = 60_000;

  /** Distance between windows, in milliseconds. */
  public static final long SLIDE_MS = 5_000;

  /** The key of a model, a policy and a replica. */
  public static String key(String model, String policy, String replica) {
    return model + '|' + policy + '|' + replica;
  }
}
