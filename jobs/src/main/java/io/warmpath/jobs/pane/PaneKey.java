package io.warmpath.jobs.pane;

import io.warmpath.schemas.stats.RoutingStats;

/**
 * Whose figures a pane holds. {@link RoutingStats#ALL} in place of a policy or replica is the sum
 * over all, and also stands where there is none: a rejected request has no replica, telemetry no
 * policy.
 *
 * @param model model
 * @param policy policy, or {@link RoutingStats#ALL}
 * @param replica replica, or {@link RoutingStats#ALL}
 */
public record PaneKey(String model, String policy, String replica) {

  /** Length of a pane. */
  public static final long PANE_MS = 1_000;

  /** What a name becomes that cannot be one. */
  public static final String OTHER = "other";

  private static final int MAX_NAME_CHARS = 200;

  /**
   * The key of what an event says.
   *
   * @param policy null where there is none
   * @param replica null where there is none
   */
  public static PaneKey of(String model, String policy, String replica) {
    return new PaneKey(
        name(model),
        policy == null ? RoutingStats.ALL : name(policy),
        replica == null ? RoutingStats.ALL : name(replica));
  }

  /** What keys of a model count under that cannot be told apart. */
  public static PaneKey othersOf(String model) {
    return new PaneKey(model, OTHER, OTHER);
  }

  /** A name of bounded length that no roll-up bears. */
  public static String name(String given) {
    boolean usable =
        !given.isBlank() && given.length() <= MAX_NAME_CHARS && !given.equals(RoutingStats.ALL);
    return usable ? given : OTHER;
  }

  /** The beginning of the pane that holds {@code timeMs}. */
  public static long paneStartMs(long timeMs) {
    return Math.floorDiv(timeMs, PANE_MS) * PANE_MS;
  }

  /** Whether this is a sum over policies or replicas. */
  public boolean isRollUp() {
    return policy.equals(RoutingStats.ALL) || replica.equals(RoutingStats.ALL);
  }

  /** Whether this sums over all policies. */
  public boolean isOverPolicies() {
    return policy.equals(RoutingStats.ALL);
  }

  /** Whether this sums over everything of its model. */
  public boolean isTotal() {
    return isOverPolicies() && replica.equals(RoutingStats.ALL);
  }

  /** The sum over everything of the model. */
  public PaneKey total() {
    return new PaneKey(model, RoutingStats.ALL, RoutingStats.ALL);
  }

  /** The sum over all replicas of the policy. */
  public PaneKey overReplicas() {
    return new PaneKey(model, policy, RoutingStats.ALL);
  }

  /** The sum over all policies on the replica. */
  public PaneKey overPolicies() {
    return new PaneKey(model, RoutingStats.ALL, replica);
  }
}
