package io.warmpath.lab.simulate;

import java.util.Arrays;

/**
 * Times to first token of one run, µs. Percentiles are exact: the ceil(p·n)-th smallest value.
 *
 * @param mean sum over count
 */
public record TtftSummary(double mean, long p50, long p95, long p99, long max) {

  /** Summary of at least one time, in any order; the array is left as it is. */
  public static TtftSummary of(long[] micros) {
    long[] sorted = micros.clone();
    Arrays.sort(sorted);
    return new TtftSummary(
        (double) Arrays.stream(sorted).sum() / sorted.length,
        percentile(sorted, 500),
        percentile(sorted, 950),
        percentile(sorted, 990),
        sorted[sorted.length - 1]);
  }

  /** The percentile, given in thousandths so that no rounding of p decides a rank. */
  static long percentile(long[] sorted, int perMille) {
    long rank = ((long) perMille * sorted.length + 999) / 1_000;
    return sorted[(int) Math.max(0, rank - 1)];
  }
}
