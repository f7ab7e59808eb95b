package io.warmpath.balancer.proxy;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.HttpConversionUtil;

/**
 * Says at the end of a stream how it ended, where HTTP/1.1 would only close: an answer that was cut
 * is an error, one that came before the request was complete is none (RFC 9113, 8.1).
 */
final class Http2StreamEnd extends ChannelDuplexHandler {

  private boolean received;
  private ChannelFuture answered;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      for (HttpConversionUtil.ExtensionHeaderNames name :
          HttpConversionUtil.ExtensionHeaderNames.values()) {
        request.headers().remove(name.text());
      }
    }
    if (message instanceof LastHttpContent) {
      received = true;
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent && !isInterim(message)) {
      answered = context.write(message, promise.unvoid());
    } else {
      context.write(message, promise);
    }
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse head
        && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (context.channel().isActive() && (answered == null || !received)) {
      Http2Error error = answered == null ? Http2Error.INTERNAL_ERROR : Http2Error.NO_ERROR;
      context.writeAndFlush(new DefaultHttp2ResetFrame(error));
    }
    context.close(promise);
  }
}
