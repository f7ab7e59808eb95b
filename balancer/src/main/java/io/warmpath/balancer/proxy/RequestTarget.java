package io.warmpath.balancer.proxy;

import java.util.Locale;

/** What a request asks for. Where it is sent is never up to the client. */
final class RequestTarget {

  private static final String LISTING = "/v1/models";

  private RequestTarget() {}

  /** Path and query of a target; of one in absolute form the host is dropped (RFC 9112, 3.2.2). */
  static String originForm(String uri) {
    int scheme = uri.indexOf("://");
    if (uri.startsWith("/") || scheme < 0) {
      return uri;
    }
    int path = uri.indexOf('/', scheme + 3);
    return path < 0 ? "/" : uri.substring(path);
  }

  /** The path without the query. */
  static String path(String uri) {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  /** Whether a path asks for models, or for one; it must not lead anywhere else on a replica. */
  static boolean isListing(String path) {
    if (!path.startsWith(LISTING + "/")) {
      return path.equals(LISTING);
    }
    String plain = path.toLowerCase(Locale.ROOT).replace("%2e", ".").replace("%5c", "\\");
    return !plain.contains("..") && !plain.contains("\\");
  }
}
