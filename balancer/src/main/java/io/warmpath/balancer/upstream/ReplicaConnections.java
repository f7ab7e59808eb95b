package io.warmpath.balancer.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;

/** Connections of one event loop to one replica; the one used last is used first. */
final class ReplicaConnections {

  private static final int MAX_LINE_BYTES = 8 * 1024;
  private static final int MAX_HEADER_BYTES = 64 * 1024;
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(64 * 1024, 256 * 1024);

  private final Replica replica;
  private final ConnectionSettings settings;
  private final Bootstrap bootstrap;
  private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
  private boolean closed;

  ReplicaConnections(EventLoop loop, Replica replica, ConnectionSettings settings) {
    this.replica = replica;
    this.settings = settings;
    this.bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(SocketTransport.of(loop).connecting())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.connectTimeout().toMillis())
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    replica.secure(channel, (int) settings.connectTimeout().toMillis());
                    channel
                        .pipeline()
                        .addLast(new RequestEncoder())
                        .addLast(
                            new HttpResponseDecoder(MAX_LINE_BYTES, MAX_HEADER_BYTES, CHUNK_BYTES))
                        .addLast(new UpstreamConnection(ReplicaConnections.this, channel));
                  }
                });
  }

  /** Finds or makes a connection. */
  void acquire(UpstreamListener listener) {
    long oldest = System.nanoTime() - settings.keepIdle().toNanos();
    UpstreamConnection connection;
    while ((connection = idle.pollLast()) != null) {
      if (connection.isOpen() && connection.idleSince() - oldest > 0) {
        connection.lease(listener);
        listener.connected(connection);
        return;
      }
      connection.close();
    }
    connect(listener);
  }

  /** Makes a new connection. */
  void connect(UpstreamListener listener) {
    replica
        .connect(bootstrap)
        .addListener(
            (io.netty.channel.ChannelFuture connected) -> {
              SslHandler tls = connected.channel().pipeline().get(SslHandler.class);
              if (tls == null || !connected.isSuccess()) {
                tell(listener, connected.channel(), connected);
              } else {
                tls.handshakeFuture()
                    .addListener(greeted -> tell(listener, connected.channel(), greeted));
              }
            });
  }

  private void tell(UpstreamListener listener, Channel channel, Future<?> made) {
    if (made.isSuccess()) {
      counts().made();
      UpstreamConnection connection = channel.pipeline().get(UpstreamConnection.class);
      connection.lease(listener);
      listener.connected(connection);
    } else {
      counts().failed();
      listener.connectFailed(made.cause());
    }
  }

  ConnectionCounts counts() {
    return replica.connections();
  }

  /**
   * Time in which a replica that closed a connection is heard of: as long as connecting may take.
   */
  long staleNanos() {
    return settings.connectTimeout().toNanos();
  }

  void giveBack(UpstreamConnection connection) {
    if (closed || !connection.isOpen() || idle.size() >= settings.maxIdle()) {
      connection.close();
      return;
    }
    connection.idleSince(System.nanoTime());
    idle.addLast(connection);
  }

  void forget(UpstreamConnection connection) {
    idle.remove(connection);
  }

  /** Closes connections that have been idle for too long. */
  void sweep() {
    long oldest = System.nanoTime() - settings.keepIdle().toNanos();
    while (!idle.isEmpty() && idle.peekFirst().idleSince() - oldest <= 0) {
      idle.pollFirst().close();
    }
  }

  void close() {
    closed = true;
    UpstreamConnection connection;
    while ((connection = idle.pollLast()) != null) {
      connection.close();
    }
  }
}
