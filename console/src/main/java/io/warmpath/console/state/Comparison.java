package io.warmpath.console.state;

import io.warmpath.schemas.stats.Distribution;

/**
 * A policy's row beside the baseline's. Null where either side has no figure.
 *
 * @param sameWindow whether both rows are of one window; else the arms took turns
 * @param rpsRatio requests a second, policy / baseline
 * @param p50Ratio TTFT p50, policy / baseline
 * @param p95Ratio TTFT p95, policy / baseline
 * @param hitRateDifference token hit rate, policy − baseline
 */
public record Comparison(
    boolean sameWindow,
    Double rpsRatio,
    Double p50Ratio,
    Double p95Ratio,
    Double hitRateDifference) {

  static Comparison of(WindowRow row, WindowRow baseline) {
    Distribution ours = row.ttft();
    Distribution theirs = baseline.ttft();
    return new Comparison(
        row.windowEndMs() == baseline.windowEndMs(),
        ratio(row.rps(), baseline.rps()),
        ratio(ours.p50Us(), theirs.p50Us()),
        ratio(ours.p95Us(), theirs.p95Us()),
        row.tokenHitRate() == null || baseline.tokenHitRate() == null
            ? null
            : row.tokenHitRate() - baseline.tokenHitRate());
  }

  private static Double ratio(Number value, Number of) {
    return value == null || of == null || of.doubleValue() == 0
        ? null
        : value.doubleValue() / of.doubleValue();
  }
}
