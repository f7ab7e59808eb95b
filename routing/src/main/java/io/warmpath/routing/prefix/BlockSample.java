package io.warmpath.routing.prefix;

import io.warmpath.schemas.HashList;

/**
 * Which blocks travel in events: those with {@code h mod 1024 < rate · 1024}. A block is in every
 * sample or in none, whoever draws it, so that requests and caches are sampled alike.
 */
public final class BlockSample {

  private static final int SLOTS = 1024;

  private BlockSample() {}

  /** Whether a block belongs to the sample of the given rate, 0 to 1. */
  public static boolean contains(long hash, double rate) {
    return (hash & (SLOTS - 1)) < rate * SLOTS;
  }

  /** The sampled ones among the first {@code n} hashes, in order. */
  public static HashList of(long[] hashes, int n, double rate) {
    if (rate >= 1) {
      return HashList.copyOf(hashes, n);
    }
    long[] sampled = new long[n];
    int size = 0;
    for (int i = 0; i < n; i++) {
      if (contains(hashes[i], rate)) {
        sampled[size++] = hashes[i];
      }
    }
    return HashList.copyOf(sampled, size);
  }
}
