package io.warmpath.balancer.proxy;

/**
 * Who a request is.
 *
 * @param requestId unique id
 * @param traceparent W3C trace context, or null
 * @param tenant name of the key that it came with, or null
 * @param session hash of the session or conversation as 16 hex digits, or null: events hold no name
 *     and no text of a client
 * @param sessionHash the same as a number, 0 for none
 * @param stream whether the client wants a stream
 * @param maxTokens bound on the answer, or null
 */
record RequestTags(
    String requestId,
    String traceparent,
    String tenant,
    String session,
    long sessionHash,
    boolean stream,
    Long maxTokens) {

  /** What decides the arm: the session, or else the request. */
  long conversation() {
    return sessionHash != 0 ? sessionHash : requestId.hashCode();
  }
}
