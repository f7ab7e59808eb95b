package io.warmpath.balancer.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Binding a server to an address. */
public final class Listening {

  private Listening() {}

  /**
   * Binds.
   *
   * @throws UncheckedIOException if the address is taken or not ours; the message names it
   */
  public static Channel bind(ServerBootstrap bootstrap, String host, int port) {
    ChannelFuture bound = bootstrap.bind(host, port).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new UncheckedIOException(
          "cannot listen on " + host + ":" + port + ": " + bound.cause().getMessage(),
          new IOException(bound.cause()));
    }
    return bound.channel();
  }
}
