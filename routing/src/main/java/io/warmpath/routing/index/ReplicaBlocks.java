package io.warmpath.routing.index;

import io.warmpath.routing.cache.BlockCache;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;

/**
 * What one replica holds: as its cache events say, or else as this router's own requests suggest.
 * Guarded by its own monitor, so that an answer never mixes two states.
 */
final class ReplicaBlocks {

  private static final long UNKNOWN = -1;

  private final BlockCache history;
  private final BlockCache reported;
  private long incarnation = UNKNOWN;
  private boolean reporting;

  ReplicaBlocks(IndexBounds bounds) {
    history = new BlockCache(bounds.historyBlocks());
    reported = new BlockCache(bounds.reportedBlocks());
  }

  synchronized int leading(long[] hashes, int n) {
    return blocks().leadingChained(hashes, n);
  }

  synchronized long size() {
    return blocks().size();
  }

  synchronized boolean reporting() {
    return reporting;
  }

  synchronized void routed(long[] hashes, int n) {
    if (!reporting) {
      history.touch(hashes, n);
    }
  }

  synchronized void forget() {
    history.clear();
    reported.clear();
  }

  /** Applies a batch unless it comes from an incarnation that is gone. */
  synchronized boolean apply(CacheEventBatch batch) {
    if (batch.incarnation() < incarnation) {
      return false;
    }
    if (batch.incarnation() > incarnation) {
      if (incarnation != UNKNOWN) {
        forget();
      }
      incarnation = batch.incarnation();
    }
    for (CacheEvent event : batch.events()) {
      apply(event);
    }
    return true;
  }

  private void apply(CacheEvent event) {
    if (event instanceof CacheEvent.Stored stored) {
      if (onGpu(stored.medium(), stored.group())) {
        startReporting();
        HashList hashes = stored.hashesB64();
        for (int i = hashes.size() - 1; i >= 0; i--) {
          reported.touch(hashes.get(i));
        }
      }
    } else if (event instanceof CacheEvent.Removed removed) {
      if (onGpu(removed.medium(), removed.group())) {
        startReporting();
        HashList hashes = removed.hashesB64();
        for (int i = 0; i < hashes.size(); i++) {
          reported.remove(hashes.get(i));
        }
      }
    } else if (event instanceof CacheEvent.Cleared) {
      startReporting();
      reported.clear();
    }
  }

  /** Blocks in slower media are not the cheap hits that routing looks for. */
  private static boolean onGpu(String medium, int group) {
    return medium.equals(CacheEvent.GPU) && group == 0;
  }

  private void startReporting() {
    if (!reporting) {
      reporting = true;
      history.clear();
    }
  }

  private BlockCache blocks() {
    return reporting ? reported : history;
  }
}
