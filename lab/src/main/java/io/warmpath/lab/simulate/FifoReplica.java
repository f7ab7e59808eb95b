package io.warmpath.lab.simulate;

import io.warmpath.routing.cache.BlockCache;
import io.warmpath.routing.queue.OpenRequests;

/** One replica of a {@link FifoSimulation}: a cache, a prefill server and the open requests. */
final class FifoReplica {

  private static final long PREFILL_MICROS_PER_TOKEN = 50;
  private static final long DECODE_MICROS_PER_TOKEN = 25_000;

  private final BlockCache cache;
  private final SpeedTimeline speed;
  private final OpenRequests open = new OpenRequests(Integer.MAX_VALUE);
  private long prefillFreeMicros = Long.MIN_VALUE;

  FifoReplica(int capacityBlocks, SpeedTimeline speed) {
    this.cache = new BlockCache(capacityBlocks);
    this.speed = speed;
  }

  BlockCache cache() {
    return cache;
  }

  /** Requests that have not finished. */
  OpenRequests open() {
    return open;
  }

  /** Takes a request's prompt and returns when its first token is there. */
  long serve(long nowMicros, long missTokens) {
    long start = Math.max(nowMicros, prefillFreeMicros);
    prefillFreeMicros = speed.endOf(start, missTokens * PREFILL_MICROS_PER_TOKEN);
    return prefillFreeMicros;
  }

  /** Decodes from a first token on, and returns when the last one is there. */
  long decode(long firstTokenMicros, long missTokens, long outputTokens) {
    long finish = speed.endOf(firstTokenMicros, outputTokens * DECODE_MICROS_PER_TOKEN);
    open.add(firstTokenMicros, finish, missTokens, outputTokens);
    return finish;
  }
}
