package io.warmpath.balancer.upstream;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** What event loops ask the system for sockets with. */
public enum SocketTransport {
  /** Linux' epoll through Netty's own library: less work for each event than by Java's. */
  EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class),
  /** Java's own, everywhere. */
  NIO(NioServerSocketChannel.class, NioSocketChannel.class);

  private final Class<? extends ServerSocketChannel> listening;
  private final Class<? extends SocketChannel> connecting;

  SocketTransport(
      Class<? extends ServerSocketChannel> listening, Class<? extends SocketChannel> connecting) {
    this.listening = listening;
    this.connecting = connecting;
  }

  /** The fastest that this machine has. */
  public static SocketTransport best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  /** That of event loops that are there. */
  public static SocketTransport of(EventLoopGroup loops) {
    return loops instanceof IoEventLoopGroup group && group.isIoType(EpollIoHandler.class)
        ? EPOLL
        : NIO;
  }

  /** Makes what event loops wait by. */
  public IoHandlerFactory handlers() {
    return this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  /** Channels that take connections. */
  public Class<? extends ServerSocketChannel> listening() {
    return listening;
  }

  /** Channels that connect. */
  public Class<? extends SocketChannel> connecting() {
    return connecting;
  }
}
