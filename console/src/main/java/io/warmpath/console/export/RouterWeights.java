package io.warmpath.console.export;

import java.util.ArrayList;
import java.util.List;

/**
 * What a router is given: whole numbers for all replicas of its map.
 *
 * @param shares what they stand for
 * @param replicas one a replica, in the map's order
 */
public record RouterWeights(FleetShares shares, List<RouterWeight> replicas) {

  public RouterWeights {
    replicas = List.copyOf(replicas);
  }

  /** Scales shares for a router; both lists are in the map's order. */
  static RouterWeights of(FleetShares shares, List<MappedReplica> replicas, WeightScale scale) {
    int[] weights =
        scale.scale(shares.replicas().stream().mapToDouble(ReplicaShare::weight).toArray());
    List<RouterWeight> all = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      all.add(new RouterWeight(replicas.get(i), weights[i], shares.replicas().get(i)));
    }
    return new RouterWeights(shares, all);
  }

  /** Whether a router that has these needs nothing to have the others. */
  boolean sameAs(RouterWeights other) {
    return other != null && numbers().equals(other.numbers());
  }

  private List<Integer> numbers() {
    return replicas.stream().map(RouterWeight::weight).toList();
  }
}
