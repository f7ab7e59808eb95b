package io.warmpath.routing.shadow;

import io.warmpath.routing.queue.OpenRequests;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A simulated replica: a sampled cache, a prefill server that takes prompts in order, and the open
 * requests. Times are µs since the epoch.
 */
final class ShadowReplica {

  /** Open requests beyond this count as ended, those that end first first. */
  static final int MAX_OPEN = 4_096;

  private final int generation;
  private final SampledCache cache;
  private final OpenRequests open = new OpenRequests(MAX_OPEN);
  private long prefillFreeMicros = Long.MIN_VALUE;

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

  /** Requests that have not ended; output tokens are expected ones. */
  OpenRequests open() {
    return open;
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
    open.add(
        firstToken, firstToken + request.decodeMicros(), uncachedTokens, request.outputTokens());
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
    open.writeTo(out);
  }

  /** The replica that {@link #writeTo} wrote, with an empty cache to fill. */
  static ShadowReplica readFrom(DataInput in, SampledCache cache) throws IOException {
    ShadowReplica replica = new ShadowReplica(in.readInt(), cache);
    int blocks = in.readInt();
    for (int i = 0; i < blocks; i++) {
      cache.restore(in.readLong());
    }
    replica.prefillFreeMicros = in.readLong();
    replica.open.readFrom(in);
    return replica;
  }
}
