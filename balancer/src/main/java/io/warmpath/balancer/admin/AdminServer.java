package io.warmpath.balancer.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.warmpath.balancer.proxy.Listening;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.balancer.proxy.SlowClientGuard;
import io.warmpath.balancer.security.Secret;
import io.warmpath.balancer.upstream.SocketTransport;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of the admin port. */
public final class AdminServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
  private static final int MAX_BODY_BYTES = 64 * 1024;

  private final Channel server;

  /**
   * Who gets in, and for how long.
   *
   * @param token what is needed below {@code /admin/}; null for nothing
   * @param tls encrypts a new connection, null for not at all
   * @param receiveTimeouts how long a new connection's client may take to send
   */
  public record Access(
      Secret token, Supplier<SslContext> tls, Supplier<ReceiveTimeouts> receiveTimeouts) {}

  /**
   * Starts listening.
   *
   * @throws java.io.UncheckedIOException if the address cannot be bound
   */
  public static AdminServer start(
      String host, int port, Access access, EventLoopGroup loops, AdminPages pages) {
    return new AdminServer(host, port, access, loops, pages);
  }

  private AdminServer(
      String host, int port, Access access, EventLoopGroup loops, AdminPages pages) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(SocketTransport.of(loops).listening())
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel client) {
                    SlowClientGuard guard =
                        new SlowClientGuard(access.receiveTimeouts().get(), client::close);
                    SslContext tls = access.tls().get();
                    if (tls != null) {
                      client.pipeline().addLast(tls.newHandler(client.alloc()));
                    }
                    client
                        .pipeline()
                        .addLast(guard)
                        .addLast(new HttpServerCodec())
                        .addLast(new TokenGate(access.token(), guard))
                        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                        .addLast(new Handler(pages, guard));
                  }
                });
    server = Listening.bind(bootstrap, host, port);
  }

  /** The port that it listens on. */
  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  @Override
  public void close() {
    server.close().syncUninterruptibly();
  }

  /** The answer that a page is. */
  static FullHttpResponse response(AdminPages.Page page) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(page.status()),
            Unpooled.wrappedBuffer(page.body()));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, page.contentType());
    HttpUtil.setContentLength(response, response.content().readableBytes());
    return response;
  }

  private static final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final AdminPages pages;
    private final SlowClientGuard guard;

    Handler(AdminPages pages, SlowClientGuard guard) {
      this.pages = pages;
      this.guard = guard;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      guard.received();
      FullHttpResponse response = response(answer(request));
      if (HttpUtil.isKeepAlive(request)) {
        guard.answered(context.writeAndFlush(response));
      } else {
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        guard.closeAfter(context.writeAndFlush(response), false);
      }
    }

    private AdminPages.Page answer(FullHttpRequest request) {
      if (request.decoderResult().isFailure()) {
        return AdminPages.Page.error(400, "The request is not valid HTTP.");
      }
      try {
        return pages.page(
            request.method().name(),
            request.uri(),
            request.headers().get(HttpHeaderNames.ACCEPT),
            request.content().toString(StandardCharsets.UTF_8));
      } catch (RuntimeException e) {
        LOG.error("{} {} failed", request.method(), request.uri(), e);
        return AdminPages.Page.error(500, "The balancer failed to answer; see its log.");
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
