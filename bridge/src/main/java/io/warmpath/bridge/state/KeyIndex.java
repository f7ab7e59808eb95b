package io.warmpath.bridge.state;

import java.util.Arrays;

/**
 * Numbers 64-bit keys: each key that is added gets the smallest number at hand, which stays its own
 * until it is removed, so that what belongs to a key can lie in arrays beside this. Open addressing
 * with linear probing, at most half full.
 */
final class KeyIndex {

  /** No key has this number. */
  static final int NONE = -1;

  private static final int MIN_ENTRIES = 64;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final int LIVE = -2;

  private int[] slots;
  private long[] keys;

  /** Next free number, or {@link #LIVE}. */
  private int[] links;

  private int firstFree;
  private int used;
  private int size;

  KeyIndex() {
    clear();
  }

  /** The number of a key, {@link #NONE} if it is not there. */
  int find(long key) {
    int mask = slots.length - 1;
    for (int slot = home(key, mask); slots[slot] != 0; slot = slot + 1 & mask) {
      if (keys[slots[slot] - 1] == key) {
        return slots[slot] - 1;
      }
    }
    return NONE;
  }

  /** Numbers a key that is not there. Afterwards the {@link #capacity} may have grown. */
  int add(long key) {
    int number;
    if (firstFree != NONE) {
      number = firstFree;
      firstFree = links[number];
    } else {
      if (used == keys.length) {
        grow();
      }
      number = used++;
    }
    keys[number] = key;
    links[number] = LIVE;
    size++;
    place(number);
    return number;
  }

  /** Removes the key that has a number. */
  void remove(int number) {
    int mask = slots.length - 1;
    int hole = home(keys[number], mask);
    while (slots[hole] != number + 1) {
      hole = hole + 1 & mask;
    }
    // Entries behind the hole move up where their probe sequence passes it.
    for (int next = hole + 1 & mask; slots[next] != 0; next = next + 1 & mask) {
      int home = home(keys[slots[next] - 1], mask);
      if ((next - home & mask) >= (next - hole & mask)) {
        slots[hole] = slots[next];
        hole = next;
      }
    }
    slots[hole] = 0;
    links[number] = firstFree;
    firstFree = number;
    size--;
  }

  /** Removes all keys. */
  void clear() {
    slots = new int[2 * MIN_ENTRIES];
    keys = new long[MIN_ENTRIES];
    links = new int[MIN_ENTRIES];
    firstFree = NONE;
    used = 0;
    size = 0;
  }

  /** Keys that are there. */
  int size() {
    return size;
  }

  /** All numbers are below this. */
  int capacity() {
    return keys.length;
  }

  /** Whether a key has this number. */
  boolean isUsed(int number) {
    return number < used && links[number] == LIVE;
  }

  /** The key that has a number. */
  long key(int number) {
    return keys[number];
  }

  private void grow() {
    int entries = 2 * keys.length;
    keys = Arrays.copyOf(keys, entries);
    links = Arrays.copyOf(links, entries);
    slots = new int[2 * entries];
    for (int number = 0; number < used; number++) {
      place(number);
    }
  }

  private void place(int number) {
    int mask = slots.length - 1;
    int slot = home(keys[number], mask);
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = number + 1;
  }

  private static int home(long key, int mask) {
    return (int) (key * SPREAD >>> 32) & mask;
  }
}
