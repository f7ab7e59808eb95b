package io.warmpath.replica.metrics;

import java.util.Arrays;

/** Counts of durations by bucket, for Prometheus. Not thread-safe. */
final class Histogram {

  private final double[] bounds;
  private final long[] counts;
  private double sum;

  /**
   * @param bounds upper bounds in seconds, rising
   */
  Histogram(double... bounds) {
    this.bounds = bounds;
    counts = new long[bounds.length + 1];
  }

  void observe(double seconds) {
    int bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]) {
      bucket++;
    }
    counts[bucket]++;
    sum += seconds;
  }

  void clear() {
    Arrays.fill(counts, 0);
    sum = 0;
  }

  /** Appends the series of the histogram. */
  void write(String name, String labels, StringBuilder out) {
    long cumulative = 0;
    for (int i = 0; i <= bounds.length; i++) {
      cumulative += counts[i];
      String bound = i == bounds.length ? "+Inf" : Double.toString(bounds[i]);
      out.append(name).append("_bucket{le=\"").append(bound).append("\",").append(labels);
      out.append("} ").append(cumulative).append(".0\n");
    }
    out.append(name).append("_count{").append(labels).append("} ").append(cumulative);
    out.append(".0\n");
    out.append(name).append("_sum{").append(labels).append("} ").append(sum).append('\n');
  }
}
