package io.warmpath.console.export;

import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The weights of one model as far as its topic was read, for the replicas of a map. As a balancer
 * does: only a higher epoch replaces what is there, and once the lease has run out all replicas are
 * equal. No I/O and no clock; not safe for concurrent use.
 */
public final class FleetWeights {

  /** No published weight is near this; more would overflow what routers take. */
  static final double MAX_WEIGHT = 1_000;

  /** Names of replicas outside of the map that are kept for messages. */
  private static final int MAX_UNMAPPED = 100;

  private final String model;
  private final List<String> replicas;
  private final VanishedReplicas vanished;
  private final Set<String> everListed = new HashSet<>();
  private RoutingWeights newest;

  /**
   * @param model whose weights
   * @param replicas names of the replicas that the router has
   * @param vanished what becomes of those that leave
   */
  public FleetWeights(String model, List<String> replicas, VanishedReplicas vanished) {
    this.model = model;
    this.replicas = List.copyOf(replicas);
    this.vanished = vanished;
  }

  /**
   * Takes published weights.
   *
   * @return false if they are of another model, or no newer than those that are there
   */
  public boolean accept(RoutingWeights weights) {
    if (!weights.model().equals(model) || (newest != null && weights.epoch() <= newest.epoch())) {
      return false;
    }
    newest = weights;
    Set<String> listed = new HashSet<>(replicas);
    listed.retainAll(weights.replicas().stream().map(ReplicaWeight::replica).toList());
    everListed.addAll(listed);
    return true;
  }

  /**
   * What the replicas should get.
   *
   * @param nowMs epoch milliseconds
   */
  public FleetShares at(long nowMs) {
    if (newest == null) {
      return new FleetShares(LeaseStanding.NONE, 0, 0, equal(), List.of());
    }
    Map<String, Double> published = published();
    boolean over = nowMs > newest.validUntilMs();
    return new FleetShares(
        over ? LeaseStanding.OVER : LeaseStanding.IN_FORCE,
        newest.epoch(),
        newest.validUntilMs(),
        over ? equal() : shares(published),
        published.keySet().stream()
            .filter(replica -> !replicas.contains(replica))
            .limit(MAX_UNMAPPED)
            .toList());
  }

  /** Weights by replica; 0 or less is none, as no replica has no speed at all. */
  private Map<String, Double> published() {
    Map<String, Double> weights = new LinkedHashMap<>();
    for (ReplicaWeight one : newest.replicas()) {
      weights.put(one.replica(), Math.min(MAX_WEIGHT, Math.max(0, one.weight())));
    }
    return weights;
  }

  private List<ReplicaShare> shares(Map<String, Double> published) {
    double mean =
        published.values().stream().mapToDouble(w -> w).filter(w -> w > 0).average().orElse(0);
    List<ReplicaShare> shares =
        replicas.stream().map(replica -> share(replica, published.get(replica), mean)).toList();
    // Whoever publishes knows none of them: that says nothing about which to take.
    return shares.stream().allMatch(share -> share.weight() == 0) ? equal() : shares;
  }

  private ReplicaShare share(String replica, Double weight, double mean) {
    if (weight != null && weight > 0) {
      return new ReplicaShare(replica, weight, WeightBasis.PUBLISHED);
    }
    boolean gone = weight == null && everListed.contains(replica);
    return gone && vanished == VanishedReplicas.DRAIN
        ? new ReplicaShare(replica, 0, WeightBasis.DRAINED)
        : new ReplicaShare(replica, mean, WeightBasis.MEAN);
  }

  private List<ReplicaShare> equal() {
    return replicas.stream()
        .map(replica -> new ReplicaShare(replica, 1, WeightBasis.EQUAL))
        .toList();
  }
}
