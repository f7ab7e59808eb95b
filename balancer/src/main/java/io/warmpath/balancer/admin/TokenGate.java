package io.warmpath.balancer.admin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.warmpath.balancer.proxy.SlowClientGuard;
import io.warmpath.balancer.security.Secret;

/** Turns away who has no token, by the head of a request: before anything of a body is kept. */
final class TokenGate extends ChannelInboundHandlerAdapter {

  private final Secret token;
  private final SlowClientGuard guard;
  private boolean shut;

  /**
   * @param token what is needed below {@code /admin/}; null for nothing
   * @param guard bounds the time that the client takes to send
   */
  TokenGate(Secret token, SlowClientGuard guard) {
    this.token = token;
    this.guard = guard;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!shut && message instanceof HttpRequest request) {
      guard.headReceived();
      shut = !request.decoderResult().isFailure() && !mayEnter(request);
      if (shut) {
        refuse(context);
      }
    }
    if (shut) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  private void refuse(ChannelHandlerContext context) {
    FullHttpResponse response =
        AdminServer.response(
            AdminPages.Page.error(401, "This needs the admin token: Authorization: Bearer …"));
    response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    guard.closeAfter(context.writeAndFlush(response), true);
  }

  private boolean mayEnter(HttpRequest request) {
    return token == null
        || isOpen(request.uri())
        || token.isIn(request.headers().get(HttpHeaderNames.AUTHORIZATION));
  }

  /** Health and metrics hold no secret and change nothing; probes and Prometheus read them. */
  private static boolean isOpen(String uri) {
    return uri.equals("/health") || uri.equals("/metrics");
  }
}
