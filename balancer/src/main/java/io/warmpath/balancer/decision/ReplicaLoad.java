package io.warmpath.balancer.decision;

/** What this balancer's open requests ask of one replica. Guarded by the {@link ReplicaLoads}. */
final class ReplicaLoad {

  private int inFlight;
  private long backlogTokens;
  private long outstandingTokens;

  int inFlight() {
    return inFlight;
  }

  long backlogTokens() {
    return backlogTokens;
  }

  long outstandingTokens() {
    return outstandingTokens;
  }

  void opened(OpenRequest request) {
    inFlight++;
    backlogTokens += request.uncachedTokens();
    outstandingTokens += request.outstandingTokens();
  }

  void answering(OpenRequest request) {
    backlogTokens -= request.uncachedTokens();
  }

  void closed(OpenRequest request) {
    inFlight--;
    outstandingTokens -= request.outstandingTokens();
  }
}
