package io.warmpath.balancer.upstream;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.warmpath.balancer.security.Tls;
import java.net.InetSocketAddress;

/** How connections to replicas with an {@code https} URL are encrypted; new ones, from now on. */
public final class UpstreamTls {

  /** What Java trusts; made once, when it is needed first. */
  private static final class ByDefault {
    static final SslContext CONTEXT = Tls.client(null, null);
  }

  private volatile SslContext configured;

  /**
   * @param configured a client's context, null for one that trusts whom Java trusts
   */
  public UpstreamTls(SslContext configured) {
    this.configured = configured;
  }

  /** Uses another context, or the default again, for connections from now on. */
  public void follow(SslContext next) {
    configured = next;
  }

  /** A handler for a connection to a replica, whose name its certificate must bear. */
  SslHandler handler(Channel channel, InetSocketAddress replica) {
    SslContext now = configured;
    SslContext context = now != null ? now : ByDefault.CONTEXT;
    return context.newHandler(channel.alloc(), replica.getHostString(), replica.getPort());
  }
}
