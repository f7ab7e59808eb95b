package io.warmpath.bench.proxy;

import java.util.Arrays;
import java.util.List;

/**
 * Times, µs. A percentile is the ceil(p·n)-th smallest; 0 where nothing was measured.
 *
 * @param count how many
 */
public record Delays(long count, double p50Us, double p99Us) {

  /** Of the times of all rounds, ns. */
  static Delays of(List<long[]> rounds) {
    long[] sorted = rounds.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return new Delays(sorted.length, micros(sorted, 50), micros(sorted, 99));
  }

  private static double micros(long[] sorted, int percent) {
    int rank = (int) (((long) sorted.length * percent + 99) / 100);
    return sorted.length == 0 ? 0 : sorted[rank - 1] / 1e3;
  }
}
