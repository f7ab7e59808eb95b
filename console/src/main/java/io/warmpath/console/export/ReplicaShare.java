package io.warmpath.console.export;

import java.util.Objects;

/**
 * What a replica should get of the traffic.
 *
 * @param replica its name in the topics
 * @param weight share relative to the others; 0 for none
 * @param basis where the weight comes from
 */
public record ReplicaShare(String replica, double weight, WeightBasis basis) {

  public ReplicaShare {
    Objects.requireNonNull(replica, "replica");
    Objects.requireNonNull(basis, "basis");
  }
}
