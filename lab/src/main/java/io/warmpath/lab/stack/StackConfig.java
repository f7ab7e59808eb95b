package io.warmpath.lab.stack;

import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.routing.policy.Policies;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A stack in one process.
 *
 * @param ports where its parts listen
 * @param replicas number of replicas
 * @param profile engine of each
 * @param timeScale how many times faster than the model they run, at least 1
 * @param policy what the balancer routes by
 * @param parallelism parallelism of the statistics job
 * @param data folder of the broker that outlives the stack; temporary if empty
 */
public record StackConfig(
    StackPorts ports,
    int replicas,
    EngineProfile profile,
    double timeScale,
    String policy,
    int parallelism,
    Optional<Path> data) {

  /** Model name that the parts agree on. */
  public static final String MODEL = "warmpath-demo";

  private static final int MOST_REPLICAS = 64;

  public StackConfig {
    if (replicas < 1 || replicas > MOST_REPLICAS) {
      throw new IllegalArgumentException(
          "--replicas must be from 1 to " + MOST_REPLICAS + ", not " + replicas);
    }
    if (!(timeScale >= 1) || Double.isInfinite(timeScale)) {
      throw new IllegalArgumentException("--time-scale must be at least 1, not " + timeScale);
    }
    Policies.parse(policy);
    if (parallelism < 1) {
      throw new IllegalArgumentException("--parallelism must be at least 1, not " + parallelism);
    }
  }

  /** Name of a replica, by its index from 0. */
  public static String replicaName(int index) {
    return "replica-" + index;
  }
}
