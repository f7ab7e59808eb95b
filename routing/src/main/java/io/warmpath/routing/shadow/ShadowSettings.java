package io.warmpath.routing.shadow;

import io.warmpath.routing.policy.Policies;
import java.util.List;

/**
 * What a shadow evaluates.
 *
 * @param policies names as in {@link Policies#parse}, 1 to 32
 * @param factors KV capacities in multiples of the real one, rising and above 0, 1 to 16
 * @param capacityBlocks KV blocks of one replica, 0 = unbounded
 * @param rate share of blocks looked at
 * @param windowMs length of a window, ms
 */
public record ShadowSettings(
    List<String> policies,
    List<Double> factors,
    int capacityBlocks,
    SampleRate rate,
    long windowMs) {

  private static final int MAX_POLICIES = 32;
  private static final int MAX_FACTORS = 16;
  private static final double MAX_FACTOR = 64;

  public ShadowSettings {
    policies = policies.stream().map(name -> Policies.parse(name).name()).toList();
    if (policies.isEmpty() || policies.size() > MAX_POLICIES) {
      throw new IllegalArgumentException("policies must be 1 to " + MAX_POLICIES);
    }
    if (policies.stream().distinct().count() < policies.size()) {
      throw new IllegalArgumentException("a policy is named twice: " + policies);
    }
    factors = List.copyOf(factors);
    if (factors.isEmpty() || factors.size() > MAX_FACTORS || !isRising(factors)) {
      throw new IllegalArgumentException(
          "capacity factors must be 1 to %d rising numbers above 0, at most %.0f: %s"
              .formatted(MAX_FACTORS, MAX_FACTOR, factors));
    }
    if (capacityBlocks < 0) {
      throw new IllegalArgumentException("capacity must be at least 0 blocks: " + capacityBlocks);
    }
    if (windowMs < 1) {
      throw new IllegalArgumentException("a window must be at least 1 ms: " + windowMs);
    }
  }

  private static boolean isRising(List<Double> factors) {
    double previous = 0;
    for (double factor : factors) {
      if (!(factor > previous && factor <= MAX_FACTOR)) {
        return false;
      }
      previous = factor;
    }
    return true;
  }
}
