package io.warmpath.balancer.decision;

/** What one open request weighs on its replica. Safe for concurrent use. */
public final class OpenRequest {

  private final ReplicaLoads loads;
  private final ReplicaLoad load;
  private final long uncachedTokens;
  private final long outstandingTokens;
  private boolean waiting = true;
  private boolean closed;

  OpenRequest(ReplicaLoads loads, ReplicaLoad load, long uncachedTokens, long outstandingTokens) {
    this.loads = loads;
    this.load = load;
    this.uncachedTokens = uncachedTokens;
    this.outstandingTokens = outstandingTokens;
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
        load.answering(this);
      }
    }
  }

  /** The attempt is over, however it ended. Further calls do nothing. */
  public void close() {
    synchronized (loads) {
      if (!closed) {
        answering();
        closed = true;
        load.closed(this);
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
