package io.warmpath.routing.cache;

import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;

/**
 * An LRU set of block ids, the model of a replica's prefix cache. A request touches its blocks from
 * the last to the first, so that tails leave before heads; then the least recently used blocks go
 * while there are more than the capacity. Not safe for concurrent use.
 *
 * <p>Primitive arrays throughout: 24 to 48 bytes a block, no object per block.
 */
public final class BlockCache {

  private static final int NIL = -1;
  private static final int INITIAL_NODES = 16;
  private static final int MAX_NODES = 1 << 29;

  private final int capacity;
  private final LongConsumer onEvicted;

  // Nodes of a doubly linked list in order of use; free ones are chained through next.
  private long[] ids;
  private int[] newer;
  private int[] older;
  private int newest = NIL;
  private int oldest = NIL;
  private int free = NIL;
  private int used;

  // Open addressing with linear probing, at most half full; holds node + 1, 0 where empty.
  private int[] table;
  private int shift;
  private int size;

  /**
   * @param capacityBlocks most blocks held; 0 = unbounded
   */
  public BlockCache(int capacityBlocks) {
    this(capacityBlocks, id -> {});
  }

  /**
   * @param capacityBlocks most blocks held; 0 = unbounded
   * @param onEvicted told each block that leaves for want of room, oldest first
   */
  public BlockCache(int capacityBlocks, LongConsumer onEvicted) {
    if (capacityBlocks < 0) {
      throw new IllegalArgumentException("capacity must be at least 0 blocks: " + capacityBlocks);
    }
    this.capacity = capacityBlocks;
    this.onEvicted = onEvicted;
    allocate();
  }

  private void allocate() {
    ids = new long[INITIAL_NODES];
    newer = new int[INITIAL_NODES];
    older = new int[INITIAL_NODES];
    newTable(2 * INITIAL_NODES);
  }

  /** Blocks held. */
  public int size() {
    return size;
  }

  /** Most blocks held; 0 = unbounded. */
  public int capacity() {
    return capacity;
  }

  /**
   * A copy of the ids held, the least recently used first: touched in this order, they come back.
   */
  public long[] idsOldestFirst() {
    long[] held = new long[size];
    int at = 0;
    for (int node = oldest; node != NIL; node = newer[node]) {
      held[at++] = ids[node];
    }
    return held;
  }

  public boolean contains(long id) {
    return find(id) != NIL;
  }

  /** Number of leading ids that are held; counting stops at the first that is not. */
  public int leading(long[] prompt, int n) {
    int i = 0;
    while (i < n && find(prompt[i]) != NIL) {
      i++;
    }
    return i;
  }

  /**
   * The same for chained ids, of which presence falls off once along a prompt: looks ahead in
   * doubling steps, then halves. Takes 2·log2 of the result, where {@link #leading} takes the
   * result.
   */
  public int leadingChained(long[] prompt, int n) {
    int present = 0;
    int probe = 1;
    while (probe <= n && find(prompt[probe - 1]) != NIL) {
      present = probe;
      probe = 2 * probe;
    }
    int absent = Math.min(probe, n + 1);
    while (absent - present > 1) {
      int middle = (present + absent) >>> 1;
      if (find(prompt[middle - 1]) != NIL) {
        present = middle;
      } else {
        absent = middle;
      }
    }
    return present;
  }

  /** Makes the first {@code n} ids the most recently used, the first of them most of all. */
  public void touch(long[] prompt, int n) {
    for (int i = n - 1; i >= 0; i--) {
      use(prompt[i]);
    }
    evict();
  }

  /** Makes one id the most recently used. */
  public void touch(long id) {
    use(id);
    evict();
  }

  /** Removes a block, without telling {@code onEvicted}. Returns whether it was held. */
  public boolean remove(long id) {
    int node = find(id);
    if (node == NIL) {
      return false;
    }
    delete(node);
    return true;
  }

  /**
   * Removes the least recently used block, without telling {@code onEvicted}, and returns its id.
   *
   * @throws java.util.NoSuchElementException if there is none
   */
  public long removeOldest() {
    if (oldest == NIL) {
      throw new NoSuchElementException("the cache is empty");
    }
    long id = ids[oldest];
    delete(oldest);
    return id;
  }

  /** Removes all blocks, without telling {@code onEvicted}, and returns their memory. */
  public void clear() {
    newest = NIL;
    oldest = NIL;
    free = NIL;
    used = 0;
    size = 0;
    allocate();
  }

  private void evict() {
    if (capacity == 0) {
      return;
    }
    while (size > capacity) {
      long id = ids[oldest];
      delete(oldest);
      onEvicted.accept(id);
    }
  }

  private void use(long id) {
    int node = find(id);
    if (node == NIL) {
      node = insert(id);
    } else if (node == newest) {
      return;
    } else {
      unlink(node);
    }
    older[node] = newest;
    newer[node] = NIL;
    if (newest == NIL) {
      oldest = node;
    } else {
      newer[newest] = node;
    }
    newest = node;
  }

  private void unlink(int node) {
    int toNewer = newer[node];
    int toOlder = older[node];
    if (toNewer == NIL) {
      newest = toOlder;
    } else {
      older[toNewer] = toOlder;
    }
    if (toOlder == NIL) {
      oldest = toNewer;
    } else {
      newer[toOlder] = toNewer;
    }
  }

  private int slotOf(long id) {
    return (int) ((id * 0x9E3779B97F4A7C15L) >>> shift);
  }

  private int find(long id) {
    int mask = table.length - 1;
    int slot = slotOf(id);
    int entry = table[slot];
    while (entry != 0) {
      if (ids[entry - 1] == id) {
        return entry - 1;
      }
      slot = (slot + 1) & mask;
      entry = table[slot];
    }
    return NIL;
  }

  private int insert(long id) {
    int node = free;
    if (node == NIL) {
      if (used == ids.length) {
        grow();
      }
      node = used++;
    } else {
      free = older[node];
    }
    ids[node] = id;
    size++;
    place(node);
    return node;
  }

  private void place(int node) {
    int mask = table.length - 1;
    int slot = slotOf(ids[node]);
    while (table[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    table[slot] = node + 1;
  }

  private void grow() {
    if (ids.length >= MAX_NODES) {
      throw new IllegalStateException("more than " + MAX_NODES + " blocks in one cache");
    }
    int nodes = 2 * ids.length;
    ids = Arrays.copyOf(ids, nodes);
    newer = Arrays.copyOf(newer, nodes);
    older = Arrays.copyOf(older, nodes);
    newTable(2 * nodes);
    // Only called when no node is free, so that all of them are held.
    for (int node = 0; node < used; node++) {
      place(node);
    }
  }

  private void newTable(int slots) {
    table = new int[slots];
    shift = Long.SIZE - Integer.numberOfTrailingZeros(slots);
  }

  private void delete(int node) {
    unlink(node);
    vacate(node);
    older[node] = free;
    free = node;
    size--;
  }

  /**
   * Empties a node's slot and moves later entries of its run up, so that no tombstone is needed.
   */
  private void vacate(int node) {
    int mask = table.length - 1;
    int hole = slotOf(ids[node]);
    while (table[hole] != node + 1) {
      hole = (hole + 1) & mask;
    }
    int slot = hole;
    while (true) {
      slot = (slot + 1) & mask;
      int entry = table[slot];
      if (entry == 0) {
        break;
      }
      int home = slotOf(ids[entry - 1]);
      // The entry may fill the hole unless its home lies cyclically in (hole, slot].
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
        table[hole] = entry;
        hole = slot;
      }
    }
    table[hole] = 0;
  }
}
