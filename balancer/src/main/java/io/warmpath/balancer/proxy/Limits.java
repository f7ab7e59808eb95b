package io.warmpath.balancer.proxy;

/**
 * Bounds on what a client may send.
 *
 * @param maxBodyBytes body of a request
 * @param maxHeaderBytes all headers of a request
 */
public record Limits(int maxBodyBytes, int maxHeaderBytes) {

  public static final Limits DEFAULTS = new Limits(16 * 1024 * 1024, 32 * 1024);

  /** Longest first line of a request. */
  static final int MAX_LINE_BYTES = 8 * 1024;
}
