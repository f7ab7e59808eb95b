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

  /** Takes a request and returns when its first token is there. */
  long serve(long nowMicros, long missTokens, long outputTokens) {
    long start = Math.max(nowMicros, prefillFreeMicros);
    long firstToken = speed.endOf(start, missTokens * PREFILL_MICROS_PER_TOKEN);
    long finish = speed.endOf(firstToken, outputTokens * DECODE_MICROS_PER_TOKEN);
    prefillFreeMicros = firstToken;
    open.add(firstToken, finish, missTokens, outputTokens);
    return firstToken;
  }
}
