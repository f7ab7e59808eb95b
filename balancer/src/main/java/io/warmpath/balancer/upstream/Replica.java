package io.warmpath.balancer.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.URI;

/** A replica that requests can be sent to. */
public final class Replica {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final String name;
  private final URI url;
  private final InetSocketAddress address;
  private final String basePath;
  private final ReplicaHealth health;
  private final UpstreamTls tls;
  private final ReplicaNames names;
  private final ConnectionCounts connections = new ConnectionCounts();

  /** A replica whose connections are not encrypted, found by the machine's resolver. */
  public Replica(String name, URI url, ReplicaHealth health) {
    this(name, url, health, null, ReplicaNames.SYSTEM);
  }

  /**
   * @param name name in events, metrics and weights
   * @param url {@code http://host:port} or {@code https://…}, perhaps with a path before {@code
   *     /v1}
   * @param tls encrypts its connections where the URL says {@code https}
   * @param names finds the address of the URL's host for each new connection
   */
  public Replica(String name, URI url, ReplicaHealth health, UpstreamTls tls, ReplicaNames names) {
    boolean encrypted = url.getScheme().equals("https");
    int defaultPort = encrypted ? HTTPS_PORT : HTTP_PORT;
    this.tls = encrypted ? tls : null;
    this.names = names;
    this.name = name;
    this.url = url;
    this.address =
        InetSocketAddress.createUnresolved(
            url.getHost(), url.getPort() < 0 ? defaultPort : url.getPort());
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    this.basePath = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    this.health = health;
  }

  public String name() {
    return name;
  }

  public URI url() {
    return url;
  }

  /** Whether requests may be sent to it. */
  public ReplicaHealth health() {
    return health;
  }

  /** Its connections. */
  public ConnectionCounts connections() {
    return connections;
  }

  /** Value of the {@code Host} header. */
  public String authority() {
    return url.getRawAuthority();
  }

  /** Port that it listens on. */
  public int port() {
    return address.getPort();
  }

  /** The request target for a path of the API. */
  public String target(String uri) {
    return basePath.isEmpty() ? uri : basePath + uri;
  }

  /** Encrypts a new connection to it, if its connections are. */
  void secure(Channel channel, int timeoutMillis) {
    if (tls != null) {
      SslHandler handler = tls.handler(channel, address);
      handler.setHandshakeTimeoutMillis(timeoutMillis);
      channel.pipeline().addFirst(handler);
    }
  }

  /** Begins to connect to it. */
  ChannelFuture connect(Bootstrap bootstrap) {
    return bootstrap.resolver(names).connect(address);
  }

  @Override
  public String toString() {
    return name;
  }
}
