package io.warmpath.lab.trace;

import java.util.Arrays;

/**
 * Holds a trace to its promise that block ids are chained: the same id always has the same position
 * and the same predecessor. Ids that are not would credit a replica with blocks of other prompts.
 *
 * <p>An open-addressing table from id to (position, predecessor).
 */
final class ChainCheck {

  private long[] ids = new long[1 << 12];
  private long[] predecessors = new long[1 << 12];

  /** Position + 1, so that 0 marks a free slot. */
  private int[] positions = new int[1 << 12];

  private int size;

  /**
   * Checks the ids of one request in {@code blockIds[from, to)}.
   *
   * @throws IllegalArgumentException naming the first id that breaks the chain
   */
  void check(long[] blockIds, int from, int to) {
    long predecessor = 0;
    for (int i = from; i < to; i++) {
      int slot = slot(blockIds[i]);
      int position = i - from + 1;
      if (positions[slot] == 0) {
        insert(slot, blockIds[i], position, predecessor);
      } else if (positions[slot] != position || predecessors[slot] != predecessor) {
        throw new IllegalArgumentException(
            "hash_ids are not chained: id %d stands at position %d here and at position %d, or after another id, on an earlier line"
                .formatted(blockIds[i], position - 1, positions[slot] - 1));
      }
      predecessor = blockIds[i];
    }
  }

  private int slot(long id) {
    int mask = ids.length - 1;
    int slot = (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (positions[slot] != 0 && ids[slot] != id) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void insert(int slot, long id, int position, long predecessor) {
    put(slot, id, position, predecessor);
    if (++size * 2 > ids.length) {
      rehash();
    }
  }

  private void put(int slot, long id, int position, long predecessor) {
    ids[slot] = id;
    positions[slot] = position;
    predecessors[slot] = predecessor;
  }

  private void rehash() {
    long[] oldIds = ids;
    long[] oldPredecessors = predecessors;
    int[] oldPositions = positions;
    ids = new long[2 * oldIds.length];
    predecessors = new long[ids.length];
    positions = new int[ids.length];
    Arrays.fill(positions, 0);
    for (int i = 0; i < oldIds.length; i++) {
      if (oldPositions[i] != 0) {
        put(slot(oldIds[i]), oldIds[i], oldPositions[i], oldPredecessors[i]);
      }
    }
  }
}
