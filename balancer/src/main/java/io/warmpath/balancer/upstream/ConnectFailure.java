package io.warmpath.balancer.upstream;

import java.net.ConnectException;
import java.util.Locale;

/** Why no connection to a replica could be made. */
public final class ConnectFailure {

  private ConnectFailure() {}

  /**
   * Whether nobody listens there, rather than that nobody answered in time or that the balancer
   * itself is short of ports, files or names. Epoll has one exception for nearly all of these, so
   * the system's own words must tell.
   */
  public static boolean isRefusal(Throwable cause) {
    return cause instanceof ConnectException
        && cause.getMessage() != null
        && cause.getMessage().toLowerCase(Locale.ROOT).contains("refused");
  }
}
