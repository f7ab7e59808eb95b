package io.warmpath.routing.shadow;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * A simulated replica: a sampled cache, a prefill server that takes prompts in order, and the open
 * requests. Times are µs since the epoch.
 */
final class ShadowReplica {

  /** Open requests beyond this count as ended, those that end first first. */
  static final int MAX_OPEN = 4_096;

  private record Load(long untilMicros, long tokens) {}

  private final int generation;
  private final SampledCache cache;
  private final Queue<Load> open = new PriorityQueue<>(Comparator.comparingLong(Load::untilMicros));
  private final Queue<Load> awaitingFirstToken = new ArrayDeque<>();
  private long prefillFreeMicros = Long.MIN_VALUE;
  private long outstandingTokens;
  private long backlogTokens;

  /**
   * @param generation which replica of its number this one is a copy of
   * @param cache its cache, empty
   */
  ShadowReplica(int generation, SampledCache cache) {
    this.generation = generation;
    this.cache = cache;
  }

  int generation() {
    return generation;
  }

  SampledCache cache() {
    return cache;
  }

  /** Requests that have not ended. */
  int open() {
    return open.size();
  }

  /** Uncached and expected output tokens of open requests. */
  long outstandingTokens() {
    return outstandingTokens;
  }

  /** Uncached tokens of requests without a first token. */
  long backlogTokens() {
    return backlogTokens;
  }

  /** Lets go of what has ended by now. */
  void advance(long nowMicros) {
    while (isOver(open.peek(), nowMicros)) {
      outstandingTokens -= open.remove().tokens;
    }
    while (isOver(awaitingFirstToken.peek(), nowMicros)) {
      backlogTokens -= awaitingFirstToken.remove().tokens;
    }
  }

  private static boolean isOver(Load load, long nowMicros) {
    return load != null && load.untilMicros <= nowMicros;
  }

  /**
   * Takes a request that arrives now.
   *
   * @param uncachedTokens tokens to compute
   * @param interceptMicros time to first token that no token explains; it keeps no server busy
   * @param microsPerToken time a token to compute
   * @return predicted time to first token, µs
   */
  long serve(
      ShadowRequest request, long uncachedTokens, double interceptMicros, double microsPerToken) {
    long now = request.timeMicros();
    prefillFreeMicros =
        Math.max(now, prefillFreeMicros) + Math.round(microsPerToken * uncachedTokens);
    long firstToken = prefillFreeMicros + Math.round(interceptMicros);
    long tokens = uncachedTokens + request.outputTokens();
    open.add(new Load(firstToken + request.decodeMicros(), tokens));
    outstandingTokens += tokens;
    awaitingFirstToken.add(new Load(firstToken, uncachedTokens));
    backlogTokens += uncachedTokens;
    if (open.size() > MAX_OPEN) {
      outstandingTokens -= open.remove().tokens;
    }
    if (awaitingFirstToken.size() > MAX_OPEN) {
      backlogTokens -= awaitingFirstToken.remove().tokens;
    }
    return firstToken - now;
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeInt(generation);
    long[] blocks = cache.blocks();
    out.writeInt(blocks.length);
    for (long block : blocks) {
      out.writeLong(block);
    }
    out.writeLong(prefillFreeMicros);
    write(open, out);
    write(awaitingFirstToken, out);
  }

  private static void write(Collection<Load> loads, DataOutput out) throws IOException {
    out.writeInt(loads.size());
    for (Load load : loads) {
      out.writeLong(load.untilMicros);
      out.writeLong(load.tokens);
    }
  }

  /** The replica that {@link #writeTo} wrote, with an empty cache to fill. */
  static ShadowReplica readFrom(DataInput in, SampledCache cache) throws IOException {
    ShadowReplica replica = new ShadowReplica(in.readInt(), cache);
    int blocks = in.readInt();
    for (int i = 0; i < blocks; i++) {
      cache.restore(in.readLong());
    }
    replica.prefillFreeMicros = in.readLong();
    replica.outstandingTokens = read(replica.open, in);
    replica.backlogTokens = read(replica.awaitingFirstToken, in);
    return replica;
  }

  /** Returns the sum of the tokens read. */
  private static long read(Queue<Load> into, DataInput in) throws IOException {
    int size = in.readInt();
    long tokens = 0;
    for (int i = 0; i < size; i++) {
      Load load = new Load(in.readLong(), in.readLong());
      into.add(load);
      tokens += load.tokens;
    }
    return tokens;
  }
}
