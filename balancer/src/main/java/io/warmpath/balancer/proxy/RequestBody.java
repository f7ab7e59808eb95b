package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** A request's body while it comes in: one array, up to a bound. */
final class RequestBody {

  private static final int FIRST_BYTES = 4 * 1024;
  private static final int PRE_ALLOCATED_BYTES = 1 << 20;

  private final int maxBytes;
  private byte[] bytes;
  private int length;

  /**
   * @param announced length that the client announced, or -1
   */
  RequestBody(int maxBytes, long announced) {
    this.maxBytes = maxBytes;
    // An announced length costs nothing to claim, so a large one is not believed at once.
    bytes = new byte[announced < 0 ? FIRST_BYTES : (int) Math.min(announced, PRE_ALLOCATED_BYTES)];
  }

  /** Adds bytes; false if that exceeds the bound. */
  boolean append(ByteBuf in) {
    int added = in.readableBytes();
    if (added > maxBytes - length) {
      return false;
    }
    if (length + added > bytes.length) {
      long doubled = Math.max(length + added, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(doubled, maxBytes));
    }
    in.readBytes(bytes, length, added);
    length += added;
    return true;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
