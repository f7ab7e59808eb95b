package io.warmpath.balancer.decision;

/**
 * What this balancer's open requests ask of the replicas of a model: its monitor guards the loads
 * of all of them.
 */
final class ReplicaLoads {

  /** Length of an answer before any was seen. */
  private static final double FIRST_OUTPUT_TOKENS = 128;

  private static final double OUTPUT_LEARNING_RATE = 0.05;

  private double expectedOutputTokens = FIRST_OUTPUT_TOKENS;

  /**
   * Adds a request to a replica's load.
   *
   * @param maxTokens bound on the answer, or null
   */
  synchronized OpenRequest open(ReplicaLoad load, long uncachedTokens, Long maxTokens) {
    long output = Math.round(expectedOutputTokens);
    if (maxTokens != null) {
      output = Math.min(output, maxTokens);
    }
    OpenRequest request = new OpenRequest(this, load, uncachedTokens, uncachedTokens + output);
    load.opened(request);
    return request;
  }

  synchronized int inFlight(ReplicaLoad load) {
    return load.inFlight();
  }

  void learnOutput(long outputTokens) {
    expectedOutputTokens += OUTPUT_LEARNING_RATE * (outputTokens - expectedOutputTokens);
  }
}
