package io.warmpath.balancer.decision;

import io.warmpath.routing.cache.BlockCache;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Prompts that were sent to a replica a moment ago: their blocks are as good as cached there,
 * though the cache events that will say so are still on their way. Without it, two requests with
 * one new prefix in quick succession would not meet. What comes in events overrides it.
 *
 * <p>A prompt is known for one to two lives: there are two generations, and the older one is
 * forgotten when the younger has lived. Safe for concurrent use.
 */
final class RecentRoutes {

  /** Longer than cache events take, short enough that a prompt that was not computed fades. */
  static final Duration LIFE = Duration.ofSeconds(5);

  private static final int MAX_BLOCKS = 1 << 16;

  private final long lifeNanos = LIFE.toNanos();
  private final LongSupplier nanoTime;
  private BlockCache younger = new BlockCache(MAX_BLOCKS);
  private BlockCache older = new BlockCache(MAX_BLOCKS);
  private long bornNanos;

  /**
   * @param nanoTime monotonic clock
   */
  RecentRoutes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    bornNanos = nanoTime.getAsLong();
  }

  /** Leading blocks, of the first {@code n}, that the replica was sent a moment ago. */
  synchronized int leading(long[] hashes, int n) {
    age();
    return Math.max(younger.leadingChained(hashes, n), older.leadingChained(hashes, n));
  }

  /** Notes that a prompt goes to the replica. */
  synchronized void add(long[] hashes, int n) {
    age();
    younger.touch(hashes, n);
  }

  /** Takes back what the replica says that it does not hold any more. */
  synchronized void apply(CacheEventBatch batch) {
    for (CacheEvent event : batch.events()) {
      if (event instanceof CacheEvent.Cleared) {
        younger.clear();
        older.clear();
      } else if (event instanceof CacheEvent.Removed removed) {
        HashList hashes = removed.hashesB64();
        for (int i = 0; i < hashes.size(); i++) {
          younger.remove(hashes.get(i));
          older.remove(hashes.get(i));
        }
      }
    }
  }

  private void age() {
    long now = nanoTime.getAsLong();
    long age = now - bornNanos;
    if (age < lifeNanos) {
      return;
    }
    BlockCache forgotten = older;
    older = younger;
    younger = forgotten;
    clear(younger);
    if (age >= 2 * lifeNanos) {
      clear(older);
    }
    bornNanos = now;
  }

  private static void clear(BlockCache generation) {
    if (generation.size() > 0) {
      generation.clear();
    }
  }
}
