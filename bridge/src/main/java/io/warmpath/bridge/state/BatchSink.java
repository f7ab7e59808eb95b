package io.warmpath.bridge.state;

import io.warmpath.schemas.cache.CacheEventBatch;

/** Where batches go. It never waits. */
public interface BatchSink {

  /** Takes a batch; false where there is no room for it, and then it is lost. */
  boolean offer(CacheEventBatch batch);

  /** Whether there is room again for the whole of what a replica holds. */
  boolean hasRoom();
}
