package io.warmpath.balancer.upstream;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.net.ConnectException;

/** Why no connection to a replica could be made. */
public final class Unreachable {

  private Unreachable() {}

  /** Whether nobody listens there, rather than that nobody answered in time or something else. */
  static boolean says(Throwable cause) {
    return cause instanceof ConnectException && !isLate(cause);
  }

  /** Whether no connection was made in time. */
  public static boolean isLate(Throwable cause) {
    return cause instanceof ConnectTimeoutException
        || cause instanceof SslHandshakeTimeoutException;
  }
}
