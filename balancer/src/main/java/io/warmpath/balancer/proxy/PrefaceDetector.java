package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.List;

/** Tells HTTP/2 without TLS by the bytes that it begins with (RFC 9113, 3.4), then leaves. */
final class PrefaceDetector extends ByteToMessageDecoder {

  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  private final ClientProtocol protocol;

  PrefaceDetector(ClientProtocol protocol) {
    this.protocol = protocol;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int known = Math.min(in.readableBytes(), PREFACE.readableBytes());
    boolean same = ByteBufUtil.equals(in, in.readerIndex(), PREFACE, 0, known);
    if (same && known < PREFACE.readableBytes()) {
      return;
    }
    ChannelPipeline pipeline = context.pipeline();
    if (same) {
      protocol.speakHttp2(pipeline);
    } else {
      protocol.speakPlainHttp1(pipeline);
    }
    pipeline.remove(this);
  }
}
