package io.warmpath.balancer.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.util.AsciiString;
import java.util.function.Supplier;

/**
 * Changes a connection from HTTP/1.1 to HTTP/2 where a request offers that (RFC 7540, 3.2; Java's
 * client does). Such a request is collected before anything is known of who sends it, so the offer
 * is taken up only with a short body of known length; any other is served over HTTP/1.1.
 */
final class UpgradeHandler extends HttpServerUpgradeHandler {

  private static final int MAX_BODY_BYTES = 64 * 1024;

  private boolean offered;

  /**
   * @param client serves HTTP/1.1 and leaves with it
   */
  UpgradeHandler(HttpServerCodec codec, Supplier<ProxyContext> contexts, ClientHandler client) {
    super(codec, protocol -> upgrade(protocol, contexts, client), MAX_BODY_BYTES);
  }

  private static UpgradeCodec upgrade(
      CharSequence protocol, Supplier<ProxyContext> contexts, ClientHandler client) {
    if (!AsciiString.contentEquals(Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME, protocol)) {
      return null;
    }
    Http2Connection connection = new Http2Connection(contexts);
    return new Http2ServerUpgradeCodec(connection.codec(), connection.streams(), connection) {
      @Override
      public void upgradeTo(ChannelHandlerContext context, FullHttpRequest request) {
        super.upgradeTo(context, request);
        context.pipeline().remove(client.guard());
        context.pipeline().remove(client);
      }
    };
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof HttpRequest request) {
      offered = offers(request);
    }
    if (offered) {
      super.channelRead(context, message);
    } else {
      context.fireChannelRead(message);
    }
  }

  private static boolean offers(HttpRequest request) {
    return request
            .headers()
            .containsValue(HttpHeaderNames.UPGRADE, Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME, true)
        && !HttpUtil.isTransferEncodingChunked(request)
        && HttpUtil.getContentLength(request, 0L) <= MAX_BODY_BYTES;
  }
}
