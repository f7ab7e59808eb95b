package io.warmpath.jobs.pane;

import java.util.Arrays;

/**
 * Values of one distribution as they came, to be counted together: putting one down costs little,
 * and counting many at once less than one by one. It holds a bounded number.
 */
final class ValueList {

  /** More than a pane gets of one distribution in its second, but for the busiest. */
  private static final int MAX_SIZE = 512;

  private static final int INITIAL_SIZE = 16;

  private int[] values = new int[INITIAL_SIZE];
  private int size;

  /** Whether there is room for so many more values. */
  boolean hasRoomFor(int more) {
    return size + more <= MAX_SIZE;
  }

  /** Adds a value. */
  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  int get(int i) {
    return values[i];
  }
}
