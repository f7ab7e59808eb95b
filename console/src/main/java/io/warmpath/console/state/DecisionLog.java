package io.warmpath.console.state;

import io.warmpath.schemas.weights.WeightDecision;
import java.util.List;
import java.util.TreeMap;

/** The newest weight decisions of a model, as many as have so many steps together. */
final class DecisionLog {

  private final int maxSteps;
  private final TreeMap<Long, WeightDecision> byEpoch = new TreeMap<>();
  private int steps;

  DecisionLog(int maxSteps) {
    this.maxSteps = maxSteps;
  }

  void accept(WeightDecision decision) {
    WeightDecision before = byEpoch.put(decision.epoch(), decision);
    steps += cost(decision) - (before == null ? 0 : cost(before));
    while (steps > maxSteps && byEpoch.size() > 1) {
      steps -= cost(byEpoch.pollFirstEntry().getValue());
    }
  }

  /** Arms take room as well, and so does a decision about nobody. */
  private static int cost(WeightDecision decision) {
    return 1 + decision.replicas().size() + decision.policies().size();
  }

  void prune(long retainedFromMs) {
    while (!byEpoch.isEmpty() && byEpoch.firstKey() < retainedFromMs) {
      steps -= cost(byEpoch.pollFirstEntry().getValue());
    }
  }

  /** Oldest first. */
  List<WeightDecision> all() {
    return List.copyOf(byEpoch.values());
  }
}
