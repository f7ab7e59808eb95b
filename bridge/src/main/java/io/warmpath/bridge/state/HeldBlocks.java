package io.warmpath.bridge.state;

import java.util.Arrays;

/**
 * Blocks of one KV-cache group that a replica holds, by Warmpath hash: how many times each in each
 * medium, over all its ranks.
 */
final class HeldBlocks {

  private final KeyIndex index = new KeyIndex();
  private long[] counts = new long[index.capacity()];
  private int blockTokens;
  private long holdings;

  /** Whether blocks of this size can be held: all of a group have one. */
  boolean takes(int tokens) {
    if (index.size() == 0) {
      blockTokens = tokens;
    }
    return blockTokens == tokens;
  }

  int blockTokens() {
    return blockTokens;
  }

  /** Adds a block; true if the medium did not hold it. */
  boolean add(long hash, int medium) {
    int block = index.find(hash);
    if (block == KeyIndex.NONE) {
      block = index.add(hash);
      if (counts.length < index.capacity()) {
        counts = Arrays.copyOf(counts, index.capacity());
      }
      counts[block] = 0;
    }
    holdings++;
    boolean first = MediumCounts.get(counts[block], medium) == 0;
    counts[block] = MediumCounts.increment(counts[block], medium);
    return first;
  }

  /** Removes a block once; true if the medium does not hold it any more. */
  boolean remove(long hash, int medium) {
    holdings--;
    int block = index.find(hash);
    counts[block] = MediumCounts.decrement(counts[block], medium);
    boolean last = MediumCounts.get(counts[block], medium) == 0;
    if (counts[block] == 0) {
      index.remove(block);
    }
    return last;
  }

  /** Hashes of all blocks in a medium, in no order. */
  long[] in(int medium) {
    long[] hashes = new long[index.size()];
    int size = 0;
    for (int block = 0; block < index.capacity(); block++) {
      if (index.isUsed(block) && MediumCounts.get(counts[block], medium) > 0) {
        hashes[size++] = index.key(block);
      }
    }
    return Arrays.copyOf(hashes, size);
  }

  /** Different blocks. */
  int size() {
    return index.size();
  }

  /** Times that a block was added and not removed. */
  long holdings() {
    return holdings;
  }

  void clear() {
    holdings = 0;
    index.clear();
    counts = new long[index.capacity()];
  }
}
