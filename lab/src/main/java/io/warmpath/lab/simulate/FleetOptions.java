package io.warmpath.lab.simulate;

import java.util.List;

/**
 * The simulated replicas.
 *
 * @param replicas how many, 1 to 4096
 * @param capacityBlocks blocks that each one's cache holds; 0 = unbounded
 * @param slowdowns changes of their speed
 */
public record FleetOptions(int replicas, int capacityBlocks, List<Slowdown> slowdowns) {

  private static final int MAX_REPLICAS = 4_096;

  public FleetOptions {
    if (replicas < 1 || replicas > MAX_REPLICAS) {
      throw new IllegalArgumentException("replicas must be 1 to " + MAX_REPLICAS + ": " + replicas);
    }
    if (capacityBlocks < 0) {
      throw new IllegalArgumentException("capacity must be at least 0 blocks: " + capacityBlocks);
    }
    for (Slowdown slowdown : slowdowns) {
      if (slowdown.replica() >= replicas) {
        throw new IllegalArgumentException(
            "there is no replica " + slowdown.replica() + ", the last is " + (replicas - 1));
      }
    }
    slowdowns = List.copyOf(slowdowns);
  }

  /** Replicas at normal speed. */
  public static FleetOptions of(int replicas, int capacityBlocks) {
    return new FleetOptions(replicas, capacityBlocks, List.of());
  }

  SpeedTimeline speedOf(int replica) {
    return SpeedTimeline.of(replica, slowdowns);
  }
}
