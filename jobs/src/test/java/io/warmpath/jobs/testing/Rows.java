package io.warmpath.jobs.testing;

import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;

/** Makes 60-s rows as the weights job reads them. */
public final class Rows {

  private Rows() {}

  /** A replica's row over all policies, with a learned slope. */
  public static RoutingStats replica(String replica, long endMs, double usPerToken) {
    return row(
        "m",
        "*",
        replica,
        60_000,
        endMs,
        new FitStats(20_000, usPerToken, 60, FitStats.Source.TTFT));
  }

  /** The row over all. */
  public static RoutingStats total(long endMs) {
    return row("m", "*", "*", 60_000, endMs, null);
  }

  /** Any row, of 60 requests. */
  public static RoutingStats row(
      String model, String policy, String replica, long sizeMs, long endMs, FitStats fit) {
    return new RoutingStats(
        endMs - sizeMs,
        endMs,
        model,
        policy,
        replica,
        false,
        60,
        60,
        0,
        0,
        0,
        60,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        60_000,
        30_000,
        0,
        0,
        0.5,
        0.5,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        LostTokens.NONE,
        0,
        null,
        null,
        null,
        null,
        fit,
        null);
  }
}
