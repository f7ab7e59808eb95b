package io.warmpath.balancer.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Bytes to put in place of a part of a body; the rest stays as the client wrote it.
 *
 * @param from first byte replaced
 * @param to end of the bytes replaced, {@code from} to insert
 * @param replacement what goes there, ASCII
 */
public record BodyEdit(int from, int to, String replacement) {

  /** Leaves a body as it is. */
  public static final BodyEdit NONE = new BodyEdit(0, 0, "");

  /** The first {@code length} bytes of {@code body} with this edit. The array is not copied. */
  public ByteBuf apply(byte[] body, int length) {
    if (replacement.isEmpty() && from == to) {
      return Unpooled.wrappedBuffer(body, 0, length);
    }
    return Unpooled.wrappedBuffer(
        Unpooled.wrappedBuffer(body, 0, from),
        Unpooled.wrappedBuffer(replacement.getBytes(StandardCharsets.US_ASCII)),
        Unpooled.wrappedBuffer(body, to, length - to));
  }
}
