package io.warmpath.balancer.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
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
import io.warmpath.balancer.proxy.Listening;
import io.warmpath.balancer.security.Secret;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of the admin port. */
public final class AdminServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
  private static final int MAX_BODY_BYTES = 64 * 1024;

  private final Channel server;

  /**
   * Starts listening.
   *
   * @param token what is needed below {@code /admin/}; null for nothing
   * @throws java.io.UncheckedIOException if the address cannot be bound
   */
  public static AdminServer start(
      String host, int port, Secret token, EventLoopGroup loops, AdminPages pages) {
    return new AdminServer(host, port, loops, new Handler(pages, token));
  }

  private AdminServer(String host, int port, EventLoopGroup loops, Handler handler) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel client) {
                    client
                        .pipeline()
                        .addLast(new HttpServerCodec())
                        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                        .addLast(handler);
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

  @Sharable
  private static final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final AdminPages pages;
    private final Secret token;

    Handler(AdminPages pages, Secret token) {
      this.pages = pages;
      this.token = token;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      AdminPages.Page page = answer(request);
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              HttpResponseStatus.valueOf(page.status()),
              Unpooled.wrappedBuffer(page.body()));
      response.headers().set(HttpHeaderNames.CONTENT_TYPE, page.contentType());
      HttpUtil.setContentLength(response, response.content().readableBytes());
      if (HttpUtil.isKeepAlive(request)) {
        context.writeAndFlush(response);
      } else {
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
      }
    }

    private AdminPages.Page answer(FullHttpRequest request) {
      if (request.decoderResult().isFailure()) {
        return AdminPages.Page.error(400, "The request is not valid HTTP.");
      }
      if (token != null && !isOpen(request.uri()) && !token.isIn(authorization(request))) {
        return AdminPages.Page.error(401, "This needs the admin token: Authorization: Bearer …");
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

    /** Health and metrics hold no secret and change nothing; probes and Prometheus read them. */
    private static boolean isOpen(String uri) {
      return uri.equals("/health") || uri.equals("/metrics");
    }

    private static String authorization(FullHttpRequest request) {
      return request.headers().get(HttpHeaderNames.AUTHORIZATION);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
