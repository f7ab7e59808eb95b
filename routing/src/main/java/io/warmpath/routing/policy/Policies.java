package io.warmpath.routing.policy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The policies by their names, as on command lines, in configurations and in events. */
public final class Policies {

  private static final Map<String, Supplier<RoutingPolicy>> BY_NAME = byName();

  private Policies() {}

  private static Map<String, Supplier<RoutingPolicy>> byName() {
    Map<String, Supplier<RoutingPolicy>> policies = new LinkedHashMap<>();
    policies.put("round_robin", RoundRobin::new);
    policies.put("random", RandomChoice::new);
    policies.put("least_loaded", LeastLoaded::new);
    policies.put("prefix_affinity", PrefixAffinity::new);
    policies.put("cache_aware", CacheAware::new);
    policies.put("session", SessionAffinity::new);
    policies.put("power_of_two", PowerOfTwo::new);
    policies.put("weighted_round_robin", WeightedRoundRobin::new);
    policies.put("lmetric", LeastMetric::new);
    policies.put("adaptive", Adaptive::new);
    return policies;
  }

  /** All names; {@code blend:W} stands for any W from 0 to 1. */
  public static List<String> names() {
    return Stream.concat(BY_NAME.keySet().stream(), Stream.of(Blend.PREFIX + "W")).toList();
  }

  /**
   * A new instance of the named policy.
   *
   * @throws IllegalArgumentException if there is none of that name; the message lists the names
   */
  public static RoutingPolicy parse(String name) {
    if (name.startsWith(Blend.PREFIX)) {
      return new Blend(name.substring(Blend.PREFIX.length()));
    }
    Supplier<RoutingPolicy> policy = BY_NAME.get(name);
    if (policy == null) {
      throw new IllegalArgumentException(
          "unknown policy '" + name + "', known are " + String.join(", ", names()));
    }
    return policy.get();
  }
}
