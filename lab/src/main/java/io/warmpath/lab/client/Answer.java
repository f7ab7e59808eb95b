package io.warmpath.lab.client;

/**
 * What came back for one request. Times are of {@link System#nanoTime()}.
 *
 * @param status HTTP status; 0 where no answer came
 * @param requestId what the balancer calls the request, or null
 * @param policy the policy that routed it, or null
 * @param replica the replica that answered, or null
 * @param promptTokens length of the prompt by {@code usage}; null where it does not say
 * @param cachedTokens of them from a cache; null where {@code usage} does not say
 * @param outputTokens length of the answer by {@code usage}; null where it does not say
 * @param text the answer
 * @param firstTokenNanos when the first token came; meaningless without one
 * @param endNanos when the answer ended
 * @param error what went wrong, or null
 */
public record Answer(
    int status,
    String requestId,
    String policy,
    String replica,
    Integer promptTokens,
    Integer cachedTokens,
    Integer outputTokens,
    String text,
    long firstTokenNanos,
    long endNanos,
    String error) {

  /** Whether the answer is complete. */
  public boolean ok() {
    return error == null;
  }

  /** An answer that never came. */
  static Answer failed(String error, long nowNanos) {
    return new Answer(0, null, null, null, null, null, null, "", 0, nowNanos, error);
  }
}
