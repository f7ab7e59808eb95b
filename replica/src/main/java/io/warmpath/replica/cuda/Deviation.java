package io.warmpath.replica.cuda;

/**
 * How far numbers of a device are from what they have to be.
 *
 * @param what what was computed
 * @param largest largest difference as a share of the largest number expected; infinite where a
 *     number is missing or none
 * @param tolerance what it may be
 */
public record Deviation(String what, double largest, double tolerance) {

  static Deviation of(String what, float[] expected, float[] actual, double tolerance) {
    double largest = 0;
    double scale = 0;
    for (int i = 0; i < expected.length; i++) {
      double difference = Math.abs((double) expected[i] - actual[i]);
      // NaN must not vanish in a comparison.
      largest = difference <= largest ? largest : difference;
      scale = Math.max(scale, Math.abs(expected[i]));
    }
    boolean comparable =
        expected.length == actual.length && scale > 0 && largest < Double.MAX_VALUE;
    return new Deviation(what, comparable ? largest / scale : Double.POSITIVE_INFINITY, tolerance);
  }

  /** The larger of two deviations of the same thing. */
  Deviation or(Deviation other) {
    return other.largest > largest ? other : this;
  }

  /** Whether it is within its tolerance. */
  public boolean holds() {
    return largest <= tolerance;
  }
}
