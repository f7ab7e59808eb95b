package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A request's body while it comes in and until it is needed no more: one array, up to a bound. It
 * grows with what came; an announced length costs nothing to claim.
 */
final class RequestBody {

  /** What became of bytes. */
  enum Added {
    KEPT,
    /** The body is longer than it may be. */
    TOO_LARGE,
    /** All bodies together are. */
    NO_MEMORY
  }

  private static final byte[] NOTHING = {};
  private static final int FIRST_BYTES = 4 * 1024;

  /** Growth towards an announced length, which copies a third of the bytes at most. */
  private static final int ANNOUNCED_GROWTH = 4;

  private static final int GROWTH = 2;

  private final Limits limits;
  private final long announced;
  private final BodyMemory memory;
  private byte[] bytes = NOTHING;
  private int length;
  private long taken;

  /**
   * @param announced length that the client announced, or -1
   * @param memory where its bytes count
   */
  RequestBody(Limits limits, long announced, BodyMemory memory) {
    this.limits = limits;
    this.announced = announced;
    this.memory = memory;
  }

  /** Adds bytes, if there is room for them. */
  Added append(ByteBuf in) {
    int added = in.readableBytes();
    if (added > limits.maxBodyBytes() - length) {
      return Added.TOO_LARGE;
    }
    int needed = length + added;
    if (needed > bytes.length) {
      int capacity = capacity(needed);
      if (!memory.take(capacity - bytes.length, limits.maxBufferedBytes())) {
        return Added.NO_MEMORY;
      }
      taken += capacity - bytes.length;
      bytes = Arrays.copyOf(bytes, capacity);
    }
    in.readBytes(bytes, length, added);
    length = needed;
    return Added.KEPT;
  }

  private int capacity(int needed) {
    if (announced >= needed) {
      return (int) Math.min(announced, (long) ANNOUNCED_GROWTH * needed);
    }
    long grown = Math.max(FIRST_BYTES, (long) GROWTH * needed);
    return (int) Math.min(limits.maxBodyBytes(), grown);
  }

  /** Forgets the bytes; further calls do nothing. */
  void free() {
    memory.giveBack(taken);
    taken = 0;
    bytes = NOTHING;
    length = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
