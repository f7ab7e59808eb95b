package io.warmpath.console.state;

import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A model's weights of the highest epoch, and the recent past of each replica's weight. */
final class WeightsState {

  private static final int MAX_POINTS = 200;

  private final int maxReplicas;
  private final Map<String, TreeMap<Long, WeightPoint>> history = new TreeMap<>();
  private RoutingWeights newest;

  WeightsState(int maxReplicas) {
    this.maxReplicas = maxReplicas;
  }

  /** As a balancer does: only a higher epoch counts. */
  void accept(RoutingWeights weights) {
    if (newest != null && weights.epoch() <= newest.epoch()) {
      return;
    }
    newest = weights;
    for (ReplicaWeight replica : weights.replicas()) {
      if (!history.containsKey(replica.replica()) && history.size() >= maxReplicas) {
        continue;
      }
      TreeMap<Long, WeightPoint> points =
          history.computeIfAbsent(replica.replica(), name -> new TreeMap<>());
      points.put(weights.epoch(), new WeightPoint(weights.epoch(), replica.weight()));
      if (points.size() > MAX_POINTS) {
        points.pollFirstEntry();
      }
    }
  }

  /** The weights of the highest epoch, or null. */
  RoutingWeights newest() {
    return newest;
  }

  void prune(long retainedFromMs) {
    history.values().forEach(points -> points.headMap(retainedFromMs).clear());
    history.values().removeIf(Map::isEmpty);
    if (newest != null && newest.validUntilMs() < retainedFromMs) {
      newest = null;
    }
  }

  /** The newest weights of a replica, oldest first; empty where none are kept. */
  List<WeightPoint> history(String replica, int count) {
    TreeMap<Long, WeightPoint> points = history.get(replica);
    if (points == null) {
      return List.of();
    }
    List<WeightPoint> all = new ArrayList<>(points.values());
    return all.subList(Math.max(0, all.size() - count), all.size());
  }
}
