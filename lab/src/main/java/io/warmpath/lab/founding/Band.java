package io.warmpath.lab.founding;

import java.util.Arrays;

/**
 * Where a figure lies over many runs.
 *
 * @param low the 5th percentile
 * @param median the 50th
 * @param high the 95th
 */
public record Band(double low, double median, double high) {

  /** The band of at least one value; the p-th percentile is the ceil(p·n)-th smallest. */
  public static Band of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Band(at(sorted, 5), at(sorted, 50), at(sorted, 95));
  }

  private static double at(double[] sorted, int percent) {
    return sorted[(percent * sorted.length + 99) / 100 - 1];
  }

  /** Whether a value lies between the 5th and the 95th percentile. */
  public boolean contains(double value) {
    return value >= low && value <= high;
  }
}
