package io.warmpath.console.state;

import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.stats.ShadowStats.Capacity;
import java.util.List;
import java.util.TreeMap;

/**
 * The newest shadow window of each policy of a model, without what a record decides the size of.
 */
final class ShadowState {

  private final int maxPolicies;
  private final TreeMap<String, ShadowStats> byPolicy = new TreeMap<>();

  ShadowState(int maxPolicies) {
    this.maxPolicies = maxPolicies;
  }

  /** Returns whether there was room; a window replaces those that ended earlier, and itself. */
  boolean accept(ShadowStats window) {
    ShadowStats before = byPolicy.get(window.policy());
    if (before == null && byPolicy.size() >= maxPolicies) {
      return false;
    }
    if (before == null || before.windowEndMs() <= window.windowEndMs()) {
      byPolicy.put(window.policy(), withoutSketches(window));
    }
    return true;
  }

  private static ShadowStats withoutSketches(ShadowStats window) {
    return new ShadowStats(
        window.windowStartMs(),
        window.windowEndMs(),
        window.model(),
        window.policy(),
        window.sampleRate(),
        window.requests(),
        window.promptTokens(),
        window.capacities().stream().map(ShadowState::withoutSketch).toList());
  }

  private static Capacity withoutSketch(Capacity capacity) {
    return new Capacity(
        capacity.factor(),
        capacity.cachedTokens(),
        capacity.tokenHitRate(),
        capacity.tokenHitRateError(),
        capacity.tokenHitRateModelError(),
        WindowRow.withoutSketch(capacity.predictedTtft()));
  }

  void prune(long retainedFromMs) {
    byPolicy.values().removeIf(window -> window.windowEndMs() < retainedFromMs);
  }

  /** By policy. */
  List<ShadowStats> newest() {
    return List.copyOf(byPolicy.values());
  }
}
