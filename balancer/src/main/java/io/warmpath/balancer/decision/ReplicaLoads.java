package io.warmpath.balancer.decision;

/**
 * What this balancer's open requests ask of each replica of a model. Guarded by its own monitor.
 */
final class ReplicaLoads {

  /** Length of an answer before any was seen. */
  private static final double FIRST_OUTPUT_TOKENS = 128;

  private static final double OUTPUT_LEARNING_RATE = 0.05;

  private final int[] inFlight;
  private final long[] backlogTokens;
  private final long[] outstandingTokens;
  private double expectedOutputTokens = FIRST_OUTPUT_TOKENS;

  ReplicaLoads(int replicas) {
    inFlight = new int[replicas];
    backlogTokens = new long[replicas];
    outstandingTokens = new long[replicas];
  }

  synchronized int inFlight(int replica) {
    return inFlight[replica];
  }

  synchronized long backlogTokens(int replica) {
    return backlogTokens[replica];
  }

  synchronized long outstandingTokens(int replica) {
    return outstandingTokens[replica];
  }

  /**
   * Adds a request.
   *
   * @param maxTokens bound on the answer, or null
   */
  synchronized OpenRequest open(int replica, long uncachedTokens, Long maxTokens) {
    long output = Math.round(expectedOutputTokens);
    if (maxTokens != null) {
      output = Math.min(output, maxTokens);
    }
    OpenRequest request = new OpenRequest(this, replica, uncachedTokens, uncachedTokens + output);
    inFlight[replica]++;
    backlogTokens[replica] += uncachedTokens;
    outstandingTokens[replica] += request.outstandingTokens();
    return request;
  }

  void answering(OpenRequest request) {
    backlogTokens[request.replica()] -= request.uncachedTokens();
  }

  void closed(OpenRequest request) {
    inFlight[request.replica()]--;
    outstandingTokens[request.replica()] -= request.outstandingTokens();
  }

  void learnOutput(long outputTokens) {
    expectedOutputTokens += OUTPUT_LEARNING_RATE * (outputTokens - expectedOutputTokens);
  }
}
