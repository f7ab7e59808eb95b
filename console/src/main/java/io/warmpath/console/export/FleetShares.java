package io.warmpath.console.export;

import java.util.List;

/**
 * What the replicas of a map should get of the traffic now.
 *
 * @param lease whether published weights hold
 * @param epoch of the newest published weights, 0 for none
 * @param validUntilMs end of their lease, epoch milliseconds; 0 for none
 * @param replicas one a replica of the map, in its order; at least one has a weight above 0
 * @param unmapped published replicas that the map does not have
 */
public record FleetShares(
    LeaseStanding lease,
    long epoch,
    long validUntilMs,
    List<ReplicaShare> replicas,
    List<String> unmapped) {

  public FleetShares {
    replicas = List.copyOf(replicas);
    unmapped = List.copyOf(unmapped);
  }
}
