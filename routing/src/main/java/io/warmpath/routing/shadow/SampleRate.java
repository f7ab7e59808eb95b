package io.warmpath.routing.shadow;

import io.warmpath.routing.prefix.BlockSample;

/**
 * Which share of the blocks a shadow looks at. A cache of C blocks holds C times the share of the
 * sampled ones (Waldspurger et al., SHARDS, FAST 2015).
 *
 * @param rate nominal rate, greater than 0, at most 1
 */
public record SampleRate(double rate) {

  /** Sampled blocks fall into so many groups, whose scatter tells the error. */
  static final int GROUPS = 16;

  /** The ten lowest bits decide whether a block is in the sample, so they tell no groups apart. */
  private static final int GROUP_SHIFT = 10;

  public SampleRate {
    if (!(rate > 0 && rate <= 1)) {
      throw new IllegalArgumentException("sample rate must be above 0 and at most 1: " + rate);
    }
  }

  /** Share of the blocks in the sample: the rate, rounded up to a multiple of 1/1024. */
  public double share() {
    return BlockSample.share(rate);
  }

  boolean keeps(long hash) {
    return BlockSample.contains(hash, rate);
  }

  /** Sampled blocks that stand for a cache of so many; 0 = unbounded, as in the cache itself. */
  int scaled(double capacityBlocks) {
    return capacityBlocks == 0 ? 0 : (int) Math.max(1, Math.round(capacityBlocks * share()));
  }

  static int groupOf(long hash) {
    return (int) (hash >>> GROUP_SHIFT) & (GROUPS - 1);
  }
}
