package io.warmpath.balancer.trace;

/** What a trace tells of one request. Used by one thread at a time. */
public interface RequestTrace {

  /** Of a request that is not traced. */
  RequestTrace NONE = new RequestTrace() {};

  /**
   * W3C trace context of the newest attempt, of the request before the first; null if nothing is
   * traced.
   */
  default String traceparent() {
    return null;
  }

  /**
   * An attempt begins.
   *
   * @param reason why that replica
   */
  default void attempt(String replica, String host, int port, String policy, String reason) {}

  /**
   * The attempt's first token passed.
   *
   * @param ttftMicros from the request's arrival
   */
  default void firstToken(long ttftMicros) {}

  /** The attempt failed. */
  default void attemptFailed(String reason) {}

  /**
   * The request is over; only the first call counts.
   *
   * @param error what went wrong, or null
   * @param status HTTP status that the client got, 0 for none
   * @param inputTokens the engine's count, or null
   * @param outputTokens the engine's count, or null
   */
  default void finished(String error, int status, Long inputTokens, Long outputTokens) {}
}
