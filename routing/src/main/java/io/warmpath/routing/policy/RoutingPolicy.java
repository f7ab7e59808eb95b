package io.warmpath.routing.policy;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

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

  /**
   * Whether the load of replicas, how it is or how it is predicted, has a say in the choice. What
   * another policy would give is known less well then, as load is not known but simulated.
   */
  default boolean goesByLoad() {
    return true;
  }

  /** Writes what the policy keeps between requests; nothing where it keeps nothing. */
  default void writeTo(DataOutput out) throws IOException {
    // Most policies look at nothing but the view.
  }

  /**
   * Goes on where a policy of the same name stood when it wrote this.
   *
   * @throws IOException if the bytes are none, or end early
   */
  default void readFrom(DataInput in) throws IOException {
    // Likewise.
  }
}
