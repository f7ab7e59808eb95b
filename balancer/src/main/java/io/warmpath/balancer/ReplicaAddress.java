package io.warmpath.balancer;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * A replica in the configuration.
 *
 * @param name name in events, metrics and weights
 * @param url {@code http://host:port} or {@code https://…}, perhaps with a path before {@code /v1}
 * @param drain whether it is to get no new requests
 */
public record ReplicaAddress(String name, URI url, boolean drain) {

  /** A replica that gets requests. */
  public ReplicaAddress(String name, URI url) {
    this(name, url, false);
  }

  /**
   * Reads a URL of a replica.
   *
   * @throws IllegalArgumentException if it is none; the message goes on after a field's name
   */
  static URI parseUrl(String text) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      // Without the text, of which nobody knows where a password would stand.
      throw new IllegalArgumentException(" is not a URL: " + e.getReason());
    }
    if (!("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
        || url.getHost() == null
        || url.getRawUserInfo() != null
        || url.getRawQuery() != null
        || url.getRawFragment() != null) {
      throw new IllegalArgumentException(
          " must be http://host:port or https://host:port: " + withoutUser(url));
    }
    return url;
  }

  /** What stands before an @ may be a password. */
  private static String withoutUser(URI url) {
    return url.toString().replaceFirst("//[^/@]*@", "//***@");
  }
}
