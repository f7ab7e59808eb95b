package io.warmpath.replica.engine;

import java.util.Arrays;

/** From block hash to block number: open addressing, linear probing, no boxing. */
final class BlockMap {

  static final int NONE = -1;

  private final long[] keys;
  private final int[] values;
  private final int mask;
  private int size;

  /** A map for at most {@code capacity} hashes. */
  BlockMap(int capacity) {
    int slots = Integer.highestOneBit(Math.max(4, capacity)) << 2;
    keys = new long[slots];
    values = new int[slots];
    Arrays.fill(values, NONE);
    mask = slots - 1;
  }

  int get(long key) {
    return values[slot(key)];
  }

  void put(long key, int value) {
    int slot = slot(key);
    if (values[slot] == NONE) {
      keys[slot] = key;
      size++;
    }
    values[slot] = value;
  }

  void remove(long key) {
    int hole = slot(key);
    if (values[hole] == NONE) {
      return;
    }
    size--;
    // Entries behind the hole move up where their probe sequence passes it.
    for (int next = (hole + 1) & mask; values[next] != NONE; next = (next + 1) & mask) {
      int home = home(keys[next]);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        keys[hole] = keys[next];
        values[hole] = values[next];
        hole = next;
      }
    }
    values[hole] = NONE;
  }

  void clear() {
    Arrays.fill(values, NONE);
    size = 0;
  }

  int size() {
    return size;
  }

  /** The slot that holds the key, or the empty one where it belongs. */
  private int slot(long key) {
    int slot = home(key);
    while (values[slot] != NONE && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long key) {
    // Hashes of traces can be small numbers; Fibonacci hashing spreads them.
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }
}
