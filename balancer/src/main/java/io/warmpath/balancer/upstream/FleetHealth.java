package io.warmpath.balancer.upstream;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** How many of a model's replicas may be out at once for answers, or for what is late. */
public final class FleetHealth {

  private final double maxShare;
  private final List<ReplicaHealth> replicas = new CopyOnWriteArrayList<>();

  /**
   * @param maxShare share of the replicas, 0 to 1
   */
  public FleetHealth(double maxShare) {
    this.maxShare = maxShare;
  }

  void join(ReplicaHealth replica) {
    replicas.add(replica);
  }

  /** A replica is gone. Of fewer replicas fewer may be out: those beyond are tried at once. */
  synchronized void leave(ReplicaHealth replica) {
    replicas.remove(replica);
    for (ReplicaHealth other : replicas) {
      if (outBeside(null) <= maxShare * replicas.size()) {
        return;
      }
      other.tryAgain();
    }
  }

  /**
   * Takes a replica out unless too many are; one at a time, so that two cannot both be the last.
   */
  synchronized void takeOut(ReplicaHealth candidate, Runnable action) {
    if (outBeside(candidate) + 1 <= maxShare * replicas.size()) {
      action.run();
    }
  }

  private long outBeside(ReplicaHealth one) {
    return replicas.stream().filter(other -> other != one && !other.takesRequests()).count();
  }
}
