package io.warmpath.routing.index;

import io.warmpath.routing.cache.BlockCache;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;

/**
 * What one replica holds, as its bit in the table of its group: as its cache events say, or else as
 * this router's own requests suggest. A replica that is gone takes no changes.
 */
final class ReplicaBlocks {

  private static final long UNKNOWN = -1;

  private final ReplicaGroup group;
  private final BlockTable table;
  private final int bit;
  private final IndexBounds bounds;

  /** The order in which own history is forgotten; none while cache events come. */
  private BlockCache history;

  private long incarnation = UNKNOWN;
  private boolean gone;
  private volatile boolean reporting;
  private volatile int size;

  ReplicaBlocks(ReplicaGroup group, int bit, IndexBounds bounds) {
    this.group = group;
    this.table = group.table();
    this.bit = bit;
    this.bounds = bounds;
    this.history = newHistory();
  }

  private BlockCache newHistory() {
    return new BlockCache(bounds.historyBlocks(), this::remove);
  }

  /** Place among the replicas of all groups. */
  int place() {
    return group.firstPlace() + bit;
  }

  int size() {
    return size;
  }

  boolean reporting() {
    return reporting;
  }

  int leading(long[] hashes, int n) {
    int[] leading = new int[BlockTable.MAX_REPLICAS];
    table.leading(hashes, n, 1L << bit, leading, 0);
    return leading[bit];
  }

  /** Takes the replica out of its group. */
  void leave() {
    synchronized (group) {
      if (!gone) {
        clear();
        gone = true;
        group.leave(bit);
      }
    }
  }

  void routed(long[] hashes, int n) {
    if (reporting) {
      // Said before the lock as well: requests need not wait for a batch of events.
      return;
    }
    synchronized (group) {
      if (reporting || gone) {
        return;
      }
      for (int i = n - 1; i >= 0; i--) {
        add(hashes[i]);
      }
      history.touch(hashes, n);
    }
  }

  void forget() {
    synchronized (group) {
      clear();
    }
  }

  /** Applies a batch unless it comes from an incarnation that is gone. */
  boolean apply(CacheEventBatch batch) {
    synchronized (group) {
      if (gone || batch.incarnation() < incarnation) {
        return false;
      }
      if (batch.incarnation() > incarnation) {
        if (incarnation != UNKNOWN) {
          clear();
        }
        incarnation = batch.incarnation();
      }
      for (CacheEvent event : batch.events()) {
        apply(event);
      }
      return true;
    }
  }

  private void apply(CacheEvent event) {
    if (event instanceof CacheEvent.Stored stored) {
      if (onGpu(stored.medium(), stored.group())) {
        startReporting();
        store(stored.hashesB64());
      }
    } else if (event instanceof CacheEvent.Removed removed) {
      if (onGpu(removed.medium(), removed.group())) {
        startReporting();
        HashList hashes = removed.hashesB64();
        for (int i = 0; i < hashes.size(); i++) {
          remove(hashes.get(i));
        }
      }
    } else if (event instanceof CacheEvent.Cleared) {
      startReporting();
      clear();
    }
  }

  /** Blocks in slower media are not the cheap hits that routing looks for. */
  private static boolean onGpu(String medium, int group) {
    return medium.equals(CacheEvent.GPU) && group == 0;
  }

  private void startReporting() {
    if (!reporting) {
      clear();
      reporting = true;
      history = null;
    }
  }

  /** An engine that reports more than it can hold is not followed beyond the bound. */
  private void store(HashList hashes) {
    for (int i = 0; i < hashes.size() && size < bounds.reportedBlocks(); i++) {
      add(hashes.get(i));
    }
  }

  private void add(long hash) {
    if (!gone && table.add(hash, bit)) {
      size++;
    }
  }

  private void remove(long hash) {
    if (table.remove(hash, bit)) {
      size--;
    }
  }

  private void clear() {
    if (size > 0) {
      table.removeAll(bit);
      size = 0;
    }
    if (!reporting) {
      history = newHistory();
    }
  }
}
