package io.warmpath.routing.policy;

/**
 * Chooses a replica for each request. Instances may keep state (a counter, a random sequence, homes
 * of sessions) and are not safe for concurrent use: one caller at a time.
 */
public interface RoutingPolicy {

  /** Returned when no replica is available. */
  int NONE = -1;

  /** Name as on the command line and in events, {@code blend:0.75} for instance. */
  String name();

  /** Number of the replica for this request, or {@link #NONE}. */
  int choose(RoutingView view);
}
