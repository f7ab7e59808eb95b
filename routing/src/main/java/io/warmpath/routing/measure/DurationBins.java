package io.warmpath.routing.measure;

import java.util.Arrays;

/**
 * Logarithmic bins of durations in whole microseconds. Each bin has a representative that is within
 * 1 % of every value in it. The bounds are computed with integers alone, so that a value lies in
 * the same bin on every machine; small values have a bin of their own and stay exact.
 *
 * <p>This is the mapping of DDSketch (Masson, Rim, Lee: DDSketch, VLDB 2019) for integers: from the
 * lowest value of a bin follows the greatest representative within 1 % of it, and from that the
 * greatest value within 1 % of the representative.
 */
final class DurationBins {

  /** Splits each power of two into this many steps of the look-up table. */
  private static final int STEPS = 64;

  private static final int STEP_BITS = 6;

  private static final long[] LOWEST = lowestValues();
  private static final short[] FIRST_BIN = firstBins();

  private DurationBins() {}

  /** Number of bins. */
  static int count() {
    return LOWEST.length;
  }

  /**
   * The bin of a value.
   *
   * @throws IllegalArgumentException if it is negative
   */
  static int ofValid(long micros) {
    if (micros < 0) {
      throw new IllegalArgumentException("negative duration: " + micros + " µs");
    }
    return of(micros);
  }

  /** The bin of a value, which must not be negative. */
  static int of(long micros) {
    int bin = FIRST_BIN[step(micros)];
    while (bin + 1 < LOWEST.length && LOWEST[bin + 1] <= micros) {
      bin++;
    }
    return bin;
  }

  /** Lowest value in the bin. */
  static long lowest(int bin) {
    return LOWEST[bin];
  }

  /** Highest value in the bin. */
  static long highest(int bin) {
    return bin + 1 < LOWEST.length ? LOWEST[bin + 1] - 1 : Long.MAX_VALUE;
  }

  /** The value that stands for all in the bin. */
  static long representative(int bin) {
    long representative = representativeOf(LOWEST[bin]);
    return representative < 0 ? Long.MAX_VALUE : representative;
  }

  private static long representativeOf(long lowest) {
    return lowest + lowest / 100;
  }

  private static long[] lowestValues() {
    long[] lowest = new long[4096];
    int bins = 0;
    long next = 0;
    // Beyond the last bin, a sum wraps around to a negative number.
    while (next >= 0) {
      lowest[bins++] = next;
      long representative = representativeOf(next);
      next = representative < 0 ? -1 : representative + representative / 99 + 1;
    }
    return Arrays.copyOf(lowest, bins);
  }

  /** For each step of the look-up table, the bin of its lowest value. */
  private static short[] firstBins() {
    short[] first = new short[step(Long.MAX_VALUE) + 1];
    int bin = 0;
    for (int step = 0; step < first.length; step++) {
      while (bin + 1 < LOWEST.length && LOWEST[bin + 1] <= lowestOfStep(step)) {
        bin++;
      }
      first[step] = (short) bin;
    }
    return first;
  }

  /** Values below 64 have a step of their own; above, each power of two has 64 steps. */
  private static int step(long value) {
    if (value < STEPS) {
      return (int) value;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    int fraction = (int) (value >>> (exponent - STEP_BITS)) & (STEPS - 1);
    return (exponent - STEP_BITS + 1) * STEPS + fraction;
  }

  private static long lowestOfStep(int step) {
    if (step < STEPS) {
      return step;
    }
    int exponent = step / STEPS + STEP_BITS - 1;
    return (long) (STEPS + step % STEPS) << (exponent - STEP_BITS);
  }
}
