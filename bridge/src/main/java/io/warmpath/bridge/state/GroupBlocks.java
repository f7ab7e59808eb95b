package io.warmpath.bridge.state;

import java.util.Arrays;

/** Blocks of one rank and KV-cache group by the engine's hash, and how often in which medium. */
final class GroupBlocks {

  private static final long KNOWN = 1L << 63;

  private final KeyIndex index = new KeyIndex();
  private long[] prefixes = new long[index.capacity()];
  private long[] counts = new long[index.capacity()];

  /** Takes a block's Warmpath hash and a medium that holds it. */
  @FunctionalInterface
  interface Holder {
    void block(long prefix, int medium);
  }

  int find(long engineHash) {
    return index.find(engineHash);
  }

  /** Adds a block that is not there, in no medium and with its Warmpath hash unknown. */
  int add(long engineHash) {
    int block = index.add(engineHash);
    if (counts.length < index.capacity()) {
      prefixes = Arrays.copyOf(prefixes, index.capacity());
      counts = Arrays.copyOf(counts, index.capacity());
    }
    counts[block] = 0;
    return block;
  }

  boolean isKnown(int block) {
    return counts[block] < 0;
  }

  long prefix(int block) {
    return prefixes[block];
  }

  void learn(int block, long prefix) {
    prefixes[block] = prefix;
    counts[block] |= KNOWN;
  }

  int count(int block, int medium) {
    return MediumCounts.get(counts[block], medium);
  }

  /** One more in a medium; true if it is the first. */
  boolean increment(int block, int medium) {
    boolean first = count(block, medium) == 0;
    counts[block] = MediumCounts.increment(counts[block], medium);
    return first;
  }

  /** One less in a medium that has some; true if it was the last. The last of all goes. */
  boolean decrement(int block, int medium) {
    counts[block] = MediumCounts.decrement(counts[block], medium);
    boolean last = count(block, medium) == 0;
    if ((counts[block] & ~KNOWN) == 0) {
      index.remove(block);
    }
    return last;
  }

  int size() {
    return index.size();
  }

  /** Pairs of a known block and a medium that holds it. */
  long holdings() {
    long[] pairs = {0};
    forEach((prefix, medium) -> pairs[0]++);
    return pairs[0];
  }

  /** Goes over all known blocks, once for each medium. */
  void forEach(Holder holder) {
    for (int block = 0; block < index.capacity(); block++) {
      if (index.isUsed(block) && isKnown(block)) {
        for (int medium = 0; medium < MediumCounts.MEDIA; medium++) {
          if (count(block, medium) > 0) {
            holder.block(prefixes[block], medium);
          }
        }
      }
    }
  }
}
