package io.warmpath.balancer.decision;

/** What one open request weighs on its replica. Safe for concurrent use. */
public final class OpenRequest {

  private final ReplicaLoads loads;
  private final int replica;
  private final long uncachedTokens;
  private final long outstandingTokens;
  private boolean waiting = true;
  private boolean closed;

  OpenRequest(ReplicaLoads loads, int replica, long uncachedTokens, long outstandingTokens) {
    this.loads = loads;
    this.replica = replica;
    this.uncachedTokens = uncachedTokens;
    this.outstandingTokens = outstandingTokens;
  }

  int replica() {
    return replica;
  }

  long uncachedTokens() {
    return uncachedTokens;
  }

  long outstandingTokens() {
    return outstandingTokens;
  }

  /** The replica has computed the prompt: it is no backlog any more. */
  public void answering() {
    synchronized (loads) {
      if (waiting) {
        waiting = false;
        loads.answering(this);
      }
    }
  }

  /** The attempt is over, however it ended. Further calls do nothing. */
  public void close() {
    synchronized (loads) {
      if (!closed) {
        answering();
        closed = true;
        loads.closed(this);
      }
    }
  }

  /** The request was answered in full with so many tokens: a sample of what answers are like. */
  public void answered(long outputTokens) {
    synchronized (loads) {
      loads.learnOutput(outputTokens);
    }
  }
}
