package io.warmpath.lab.simulate;

import io.warmpath.routing.cache.BlockCache;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** One replica of a {@link FifoSimulation}: a cache, a prefill server and the open requests. */
final class FifoReplica {

  private static final long PREFILL_MICROS_PER_TOKEN = 50;
  private static final long DECODE_MICROS_PER_TOKEN = 25_000;

  private record Load(long untilMicros, long tokens) {}

  private final BlockCache cache;
  private final SpeedTimeline speed;
  private final Queue<Load> open = new PriorityQueue<>(Comparator.comparingLong(Load::untilMicros));
  private final Queue<Load> awaitingFirstToken = new ArrayDeque<>();
  private long prefillFreeMicros = Long.MIN_VALUE;
  private long outstandingTokens;
  private long backlogTokens;

  FifoReplica(int capacityBlocks, SpeedTimeline speed) {
    this.cache = new BlockCache(capacityBlocks);
    this.speed = speed;
  }

  BlockCache cache() {
    return cache;
  }

  /** Requests that have not finished. */
  int open() {
    return open.size();
  }

  /** Uncached and output tokens of open requests. */
  long outstandingTokens() {
    return outstandingTokens;
  }

  /** Uncached tokens of requests without a first token. */
  long backlogTokens() {
    return backlogTokens;
  }

  /** Lets go of what has ended by now. */
  void advance(long nowMicros) {
    for (Load load = open.peek(); isOver(load, nowMicros); load = open.peek()) {
      outstandingTokens -= load.tokens;
      open.remove();
    }
    Load load = awaitingFirstToken.peek();
    while (isOver(load, nowMicros)) {
      backlogTokens -= load.tokens;
      awaitingFirstToken.remove();
      load = awaitingFirstToken.peek();
    }
  }

  private static boolean isOver(Load load, long nowMicros) {
    return load != null && load.untilMicros <= nowMicros;
  }

  /** Takes a request and returns when its first token is there. */
  long serve(long nowMicros, long missTokens, long outputTokens) {
    long start = Math.max(nowMicros, prefillFreeMicros);
    long firstToken = speed.endOf(start, missTokens * PREFILL_MICROS_PER_TOKEN);
    long finish = speed.endOf(firstToken, outputTokens * DECODE_MICROS_PER_TOKEN);
    prefillFreeMicros = firstToken;
    open.add(new Load(finish, missTokens + outputTokens));
    outstandingTokens += missTokens + outputTokens;
    awaitingFirstToken.add(new Load(firstToken, missTokens));
    backlogTokens += missTokens;
    return firstToken;
  }
}
