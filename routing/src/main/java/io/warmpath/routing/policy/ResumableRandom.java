package io.warmpath.routing.policy;

import java.util.Random;

/** The sequence of {@code java.util.Random}, which can be left and taken up again anywhere. */
final class ResumableRandom extends Random {

  private static final long serialVersionUID = 1L;

  // The generator that java.util.Random documents.
  private static final long MULTIPLIER = 0x5DEECE66DL;
  private static final long INCREMENT = 0xBL;
  private static final int STATE_BITS = 48;
  private static final long MASK = (1L << STATE_BITS) - 1;

  private long state;

  ResumableRandom(long seed) {
    state = (seed ^ MULTIPLIER) & MASK;
  }

  /** Where the sequence stands. */
  long state() {
    return state;
  }

  /** Goes on where a sequence stood. */
  void resume(long from) {
    state = from & MASK;
  }

  @Override
  protected int next(int bits) {
    state = (state * MULTIPLIER + INCREMENT) & MASK;
    return (int) (state >>> (STATE_BITS - bits));
  }
}
