package io.warmpath.replica.engine;

/**
 * The blocks that no sequence holds, least recently used first: a doubly linked list over arrays,
 * so that a block in the middle can be taken back without a search.
 */
final class FreeList {

  private final int[] next;
  private final int[] previous;
  private final int end;
  private int size;

  /** A list of all {@code blocks}, in order. */
  FreeList(int blocks) {
    end = blocks;
    next = new int[blocks + 1];
    previous = new int[blocks + 1];
    // The extra slot closes the ring: its neighbours are the list's first and last block.
    for (int block = 0; block <= blocks; block++) {
      next[block] = block == blocks ? 0 : block + 1;
      previous[block] = block == 0 ? blocks : block - 1;
    }
    size = blocks;
  }

  int size() {
    return size;
  }

  int takeFirst() {
    int block = next[end];
    if (block == end) {
      throw new IllegalStateException("no free block");
    }
    take(block);
    return block;
  }

  void take(int block) {
    next[previous[block]] = next[block];
    previous[next[block]] = previous[block];
    size--;
  }

  void addLast(int block) {
    int last = previous[end];
    next[last] = block;
    previous[block] = last;
    next[block] = end;
    previous[end] = block;
    size++;
  }

  /** All blocks in order. */
  int[] toArray() {
    int[] blocks = new int[size];
    int block = next[end];
    for (int i = 0; i < size; i++) {
      blocks[i] = block;
      block = next[block];
    }
    return blocks;
  }
}
