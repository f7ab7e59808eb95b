package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.warmpath.balancer.sse.CompletionJson;
import io.warmpath.balancer.sse.TokenUsage;

/**
 * Reads a body that does not stream. It keeps a copy up to a bound, for the usage in it; of a
 * longer one the usage stays unknown.
 */
final class BodyReader implements AnswerReader {

  private static final int MAX_KEPT_BYTES = 1 << 20;

  private ByteBuf kept = Unpooled.EMPTY_BUFFER;
  private boolean keeping;
  private TokenUsage usage = TokenUsage.UNKNOWN;

  /** A reader of a JSON object. */
  static BodyReader json() {
    return new BodyReader(true);
  }

  /** A reader that looks at nothing. */
  static BodyReader opaque() {
    return new BodyReader(false);
  }

  private BodyReader(boolean keeping) {
    this.keeping = keeping;
  }

  @Override
  public ByteBuf read(ByteBuf in, ByteBufAllocator allocator) {
    if (keeping && in.isReadable()) {
      keep(in);
    }
    return in;
  }

  private void keep(ByteBuf in) {
    if (kept.readableBytes() + in.readableBytes() > MAX_KEPT_BYTES) {
      keeping = false;
      kept = Unpooled.EMPTY_BUFFER;
      return;
    }
    if (!kept.isWritable(in.readableBytes())) {
      kept =
          kept.isReadable()
              ? kept.capacity(2 * (kept.readableBytes() + in.readableBytes()))
              : Unpooled.buffer(Math.max(1024, in.readableBytes()));
    }
    kept.writeBytes(in, in.readerIndex(), in.readableBytes());
  }

  @Override
  public ByteBuf finish() {
    if (kept.isReadable()) {
      CompletionJson body = new CompletionJson();
      body.read(kept.array(), kept.arrayOffset(), kept.arrayOffset() + kept.readableBytes());
      if (body.usage() != null) {
        usage = body.usage();
      }
    }
    return Unpooled.EMPTY_BUFFER;
  }

  @Override
  public void abandon() {}

  @Override
  public TokenUsage usage() {
    return usage;
  }

  @Override
  public long tokenChunks() {
    return 0;
  }

  @Override
  public boolean begun() {
    return true;
  }

  @Override
  public boolean error() {
    return false;
  }

  @Override
  public boolean saysDone() {
    return true;
  }

  @Override
  public ByteBuf errorEvent(String json) {
    return null;
  }
}
