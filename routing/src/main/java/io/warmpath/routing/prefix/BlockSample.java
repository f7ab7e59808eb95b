package io.warmpath.routing.prefix;

import io.warmpath.schemas.HashList;

/**
 * Which blocks travel in events: those with {@code h mod 1024 < rate · 1024}. A block is in every
 * sample or in none, whoever draws it, so that requests and caches are sampled alike. With them
 * travels the first block of the prompt, as what many prompts begin with decides where a router
 * sends them, whether it is in the sample or not.
 */
public final class BlockSample {

  private static final int SLOTS = 1024;

  private BlockSample() {}

  /** Whether a block belongs to the sample of the given rate, 0 to 1. */
  public static boolean contains(long hash, double rate) {
    return (hash & (SLOTS - 1)) < rate * SLOTS;
  }

  /**
   * The share of all blocks that the sample of the given rate holds: the rate, rounded up to a
   * multiple of 1/1024.
   */
  public static double share(double rate) {
    return Math.min(1, Math.ceil(rate * SLOTS) / SLOTS);
  }

  /** The first hash and the sampled ones among the first {@code n}, in order. */
  public static HashList of(long[] hashes, int n, double rate) {
    if (rate >= 1) {
      return HashList.copyOf(hashes, n);
    }
    long[] sampled = new long[n];
    int size = 0;
    for (int i = 0; i < n; i++) {
      if (i == 0 || contains(hashes[i], rate)) {
        sampled[size++] = hashes[i];
      }
    }
    return HashList.copyOf(sampled, size);
  }
}
