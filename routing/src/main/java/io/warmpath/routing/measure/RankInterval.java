package io.warmpath.routing.measure;

/**
 * Ranks between which the 95th percentile lies with 95 % confidence, whatever the distribution:
 * {@code P(low ≤ B < high) ≥ 0.95} for B ~ Bin(n, 0.95), each tail at most 0.025. It takes the
 * values as independent, which requests that wait in one queue are not.
 *
 * @param low rank of the lower end, counted from 1; 0 if there is none
 * @param high rank of the upper end; 0 if there is none, below 72 values
 */
record RankInterval(long low, long high) {

  private static final double P = 0.95;
  private static final double Q = 0.05;
  private static final double TAIL = 0.025;

  /** Terms this much smaller than the largest one change no sum. */
  private static final double NEGLIGIBLE = 1e-18;

  /** The ranks for {@code n} values. */
  static RankInterval ofP95(long n) {
    if (n == 0) {
      return new RankInterval(0, 0);
    }
    long mode = Math.min(n, (long) Math.floor((n + 1) * P));
    double from = weightFrom(n, mode);
    double below = weightBelow(n, mode);
    double tail = TAIL * (from + below);
    return new RankInterval(low(n, mode, below, tail), high(n, mode, from, tail));
  }

  /** The greatest l with P(B < l) ≤ tail, from P(B < mode). */
  private static long low(long n, long mode, double belowMode, double tail) {
    long k = mode;
    double weight = 1;
    double below = belowMode;
    while (k > 0 && below > tail) {
      weight = weight * k * Q / ((n - k + 1) * P);
      k--;
      below -= weight;
    }
    return below > tail ? 0 : k;
  }

  /** The least u with P(B ≥ u) ≤ tail, 0 if that is beyond n, from P(B ≥ mode). */
  private static long high(long n, long mode, double fromMode, double tail) {
    long k = mode;
    double weight = 1;
    double from = fromMode;
    while (k <= n && from > tail) {
      from -= weight;
      weight = weight * (n - k) * P / ((k + 1) * Q);
      k++;
    }
    return k > n ? 0 : k;
  }

  /** Σ P(B = k) for k ≥ mode, in units of P(B = mode). */
  private static double weightFrom(long n, long mode) {
    double sum = 0;
    double weight = 1;
    for (long k = mode; k <= n && weight > NEGLIGIBLE; k++) {
      sum += weight;
      weight = weight * (n - k) * P / ((k + 1) * Q);
    }
    return sum;
  }

  /** Σ P(B = k) for k < mode, in the same units. */
  private static double weightBelow(long n, long mode) {
    double sum = 0;
    double weight = 1;
    for (long k = mode; k > 0 && weight > NEGLIGIBLE; k--) {
      weight = weight * k * Q / ((n - k + 1) * P);
      sum += weight;
    }
    return sum;
  }
}
