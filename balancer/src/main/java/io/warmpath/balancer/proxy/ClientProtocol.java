package io.warmpath.balancer.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;

/**
 * What a new client speaks, and the handlers for that. Whichever it is, a {@link ClientHandler}
 * sees requests as HTTP/1.1 has them: one for a connection, or one for a stream of HTTP/2.
 *
 * <pre>
 * TLS ───── ALPN ────────┬─ h2 ──────────────────────────────▶ HTTP/2
 *                        └─ http/1.1 or nothing ─────────────▶ HTTP/1.1
 * no TLS ── first bytes ─┬─ HTTP/2's preface ────────────────▶ HTTP/2
 *                        └─ else ─▶ HTTP/1.1 ─ Upgrade: h2c ─▶ HTTP/2
 * </pre>
 */
final class ClientProtocol {

  private final Supplier<ProxyContext> contexts;
  private final ClientHandler client;

  /**
   * @param contexts what holds for a request that comes now
   */
  ClientProtocol(Supplier<ProxyContext> contexts) {
    this.contexts = contexts;
    this.client = new ClientHandler(contexts);
  }

  /** Serves a connection that was just accepted. */
  void begin(Channel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    SslContext tls = contexts.get().rules().tls();
    if (tls == null) {
      pipeline.addLast(client.guard(), new PrefaceDetector(this), client);
    } else {
      pipeline.addLast(tls.newHandler(channel.alloc()), client.guard(), new Negotiated(), client);
    }
  }

  /** A connection without TLS that did not begin as HTTP/2 does. */
  void speakPlainHttp1(ChannelPipeline pipeline) {
    HttpServerCodec codec = speakHttp1(pipeline);
    addBeforeClient(pipeline, new UpgradeHandler(codec, contexts, client));
  }

  private HttpServerCodec speakHttp1(ChannelPipeline pipeline) {
    Limits limits = contexts.get().limits();
    HttpServerCodec codec =
        new HttpServerCodec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(Limits.MAX_LINE_BYTES)
                .setMaxHeaderSize(limits.maxHeaderBytes()));
    addBeforeClient(pipeline, codec);
    return codec;
  }

  private void addBeforeClient(ChannelPipeline pipeline, ChannelHandler handler) {
    pipeline.addBefore(pipeline.context(client).name(), null, handler);
  }

  /** A connection that speaks HTTP/2 from its first byte on. */
  void speakHttp2(ChannelPipeline pipeline) {
    pipeline.remove(client.guard());
    pipeline.remove(client);
    pipeline.addLast(new Http2Connection(contexts).handlers());
  }

  /** Tells a client that speaks HTTP/2 to open no more streams on this connection. */
  static void goAway(Channel channel) {
    channel
        .eventLoop()
        .execute(
            () -> {
              Http2Connection connection = channel.pipeline().get(Http2Connection.class);
              if (connection != null) {
                connection.goAway();
              }
            });
  }

  private final class Negotiated extends ApplicationProtocolNegotiationHandler {

    Negotiated() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        speakHttp2(context.pipeline());
      } else {
        speakHttp1(context.pipeline());
      }
    }

    /** Anybody can cause one, so it is not worth a line in the log. */
    @Override
    protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
