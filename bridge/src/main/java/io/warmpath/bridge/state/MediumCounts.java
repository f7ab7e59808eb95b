package io.warmpath.bridge.state;

/** Four counts in one word, one for each medium that a replica has. They stop at their highest. */
final class MediumCounts {

  /** Most media of a replica. */
  static final int MEDIA = 4;

  private static final int BITS = 15;
  private static final long MASK = (1L << BITS) - 1;

  private MediumCounts() {}

  static int get(long counts, int medium) {
    return (int) (counts >>> medium * BITS & MASK);
  }

  static long increment(long counts, int medium) {
    return get(counts, medium) == MASK ? counts : counts + (1L << medium * BITS);
  }

  /** One less of a count that is not 0. */
  static long decrement(long counts, int medium) {
    return counts - (1L << medium * BITS);
  }
}
