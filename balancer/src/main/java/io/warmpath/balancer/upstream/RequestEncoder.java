package io.warmpath.balancer.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;

/** Puts the head and a short body of a request into one buffer: one less to send. */
final class RequestEncoder extends HttpRequestEncoder {

  /** Room for most heads; where it is too little, the buffer grows or the body stays apart. */
  private static final int HEAD_BYTES = 1024;

  private static final int SHORT_BODY_BYTES = 16 * 1024;

  @Override
  protected void encodeInitialLine(ByteBuf buffer, HttpRequest request) throws Exception {
    if (request instanceof FullHttpRequest full) {
      int bodyBytes = full.content().readableBytes();
      if (bodyBytes <= SHORT_BODY_BYTES) {
        // The encoder appends a body that fits.
        buffer.ensureWritable(HEAD_BYTES + bodyBytes);
      }
    }
    super.encodeInitialLine(buffer, request);
  }
}
