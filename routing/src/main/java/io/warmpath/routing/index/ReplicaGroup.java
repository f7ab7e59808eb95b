package io.warmpath.routing.index;

/**
 * Up to {@link BlockTable#MAX_REPLICAS} replicas and their one table. Changes are made one at a
 * time, under the group's lock; questions take none.
 */
final class ReplicaGroup {

  private final BlockTable table = new BlockTable();
  private final IndexBounds bounds;
  private final int firstPlace;
  private volatile long present;

  /**
   * @param firstPlace place of its first replica among those of all groups
   */
  ReplicaGroup(int firstPlace, IndexBounds bounds) {
    this.firstPlace = firstPlace;
    this.bounds = bounds;
  }

  /** Takes a replica in; null if all bits are taken. */
  synchronized ReplicaBlocks join() {
    int bit = Long.numberOfTrailingZeros(~present);
    if (bit == Long.SIZE) {
      return null;
    }
    present |= 1L << bit;
    return new ReplicaBlocks(this, bit, bounds);
  }

  /** Lets a replica go that has no blocks any more. */
  synchronized void leave(int bit) {
    present &= ~(1L << bit);
  }

  BlockTable table() {
    return table;
  }

  int firstPlace() {
    return firstPlace;
  }

  /** Leading blocks that each replica of the group holds, each at its place among all groups. */
  void leading(long[] hashes, int n, int[] leading) {
    table.leading(hashes, n, present, leading, firstPlace);
  }
}
