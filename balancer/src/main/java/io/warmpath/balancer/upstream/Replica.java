package io.warmpath.balancer.upstream;

import java.net.InetSocketAddress;
import java.net.URI;

/** A replica that requests can be sent to. */
public final class Replica {

  private static final int HTTP_PORT = 80;

  private final String name;
  private final URI url;
  private final InetSocketAddress address;
  private final String basePath;
  private final ReplicaHealth health;

  /**
   * @param name name in events, metrics and weights
   * @param url {@code http://host:port}, perhaps with a path before {@code /v1}
   */
  public Replica(String name, URI url, ReplicaHealth health) {
    this.name = name;
    this.url = url;
    this.address =
        InetSocketAddress.createUnresolved(
            url.getHost(), url.getPort() < 0 ? HTTP_PORT : url.getPort());
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

  /** Value of the {@code Host} header. */
  public String authority() {
    return url.getRawAuthority();
  }

  /** The request target for a path of the API. */
  public String target(String uri) {
    return basePath.isEmpty() ? uri : basePath + uri;
  }

  InetSocketAddress address() {
    return address;
  }

  @Override
  public String toString() {
    return name;
  }
}
