package io.warmpath.lab.synthetic;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Who takes part in synthetic traffic.
 *
 * @param models models, all served by all replicas
 * @param policies policies, all in force at once
 * @param replicas replicas
 */
public record SyntheticFleet(List<String> models, List<String> policies, List<String> replicas) {

  private static final List<String> POLICIES =
      List.of("adaptive", "prefix_affinity", "round_robin", "least_loaded");

  public SyntheticFleet {
    models = List.copyOf(models);
    policies = List.copyOf(policies);
    replicas = List.copyOf(replicas);
  }

  /** Four policies on so many replicas. */
  public static SyntheticFleet of(List<String> models, int replicas) {
    return new SyntheticFleet(
        models, POLICIES, IntStream.range(0, replicas).mapToObj(i -> "replica-" + i).toList());
  }
}
