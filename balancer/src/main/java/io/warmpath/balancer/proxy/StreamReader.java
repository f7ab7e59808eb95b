package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.warmpath.balancer.sse.CompletionStream;
import io.warmpath.balancer.sse.TokenUsage;

/** Reads server-sent events. */
final class StreamReader implements AnswerReader {

  private final CompletionStream stream;

  StreamReader(CompletionStream stream) {
    this.stream = stream;
  }

  @Override
  public ByteBuf read(ByteBuf in, ByteBufAllocator allocator) {
    return stream.read(in, allocator);
  }

  @Override
  public ByteBuf finish() {
    return stream.finish();
  }

  @Override
  public void abandon() {
    stream.abandon();
  }

  @Override
  public TokenUsage usage() {
    return stream.usage();
  }

  @Override
  public long tokenChunks() {
    return stream.tokenChunks();
  }

  @Override
  public boolean begun() {
    return stream.begun();
  }

  @Override
  public boolean error() {
    return stream.error();
  }

  @Override
  public boolean saysDone() {
    return stream.done();
  }

  @Override
  public ByteBuf errorEvent(String json) {
    return ErrorBody.event(json, stream.eventOpen());
  }
}
