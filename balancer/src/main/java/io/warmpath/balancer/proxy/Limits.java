package io.warmpath.balancer.proxy;

/**
 * Bounds on what clients may send.
 *
 * @param maxBodyBytes body of a request
 * @param maxHeaderBytes all headers of a request
 * @param maxHeaders number of headers of a request
 * @param maxRequests open requests; those beyond get 503
 * @param maxRequestsPerKey open requests of the keys of one name, 0 for no such bound; those beyond
 *     get 429
 * @param maxStreams open streams of one HTTP/2 connection; those beyond are refused
 * @param maxBufferedBytes bodies of all requests that wait for their answer to begin; a request
 *     that needs more gets 503
 * @param maxConnections clients' connections; those beyond are closed as they come
 */
public record Limits(
    int maxBodyBytes,
    int maxHeaderBytes,
    int maxHeaders,
    int maxRequests,
    int maxRequestsPerKey,
    int maxStreams,
    long maxBufferedBytes,
    int maxConnections) {

  public static final Limits DEFAULTS =
      new Limits(16 * 1024 * 1024, 32 * 1024, 100, 10_000, 0, 1_000, 256L << 20, 50_000);

  /** Longest first line of a request. */
  static final int MAX_LINE_BYTES = 8 * 1024;

  /** Bounds on sizes, the others by default. */
  public Limits(int maxBodyBytes, int maxHeaderBytes) {
    this(
        maxBodyBytes,
        maxHeaderBytes,
        DEFAULTS.maxHeaders(),
        DEFAULTS.maxRequests(),
        DEFAULTS.maxRequestsPerKey());
  }

  /** All bounds on requests, those on connections and what they hold by default. */
  public Limits(
      int maxBodyBytes,
      int maxHeaderBytes,
      int maxHeaders,
      int maxRequests,
      int maxRequestsPerKey) {
    this(
        maxBodyBytes,
        maxHeaderBytes,
        maxHeaders,
        maxRequests,
        maxRequestsPerKey,
        DEFAULTS.maxStreams(),
        DEFAULTS.maxBufferedBytes(),
        DEFAULTS.maxConnections());
  }
}
