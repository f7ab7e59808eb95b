package io.warmpath.lab.simulate;

import io.warmpath.lab.trace.Trace;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.policy.RoutingPolicy;

/**
 * The {@code fifo} engine: a replica is one prefill server that takes prompts in order, 50 µs a
 * token, and decodes without limit, 25 ms a token. All figures are integers and equal those of the
 * reference model. What a request touches is in the cache at once, so that the next one finds it
 * even if it arrives at the same moment.
 */
public final class FifoSimulation {

  /** Epoch milliseconds of a trace's time 0, in the weights that a run publishes. */
  public static final long START_MS = LearningWindow.ORIGIN_MS;

  private FifoSimulation() {}

  /**
   * Runs a trace in file order against empty caches.
   *
   * @param policy name as in {@link Policies#parse}
   * @throws IllegalArgumentException for an unknown policy
   */
  public static SimulationRun run(Trace trace, FleetOptions options, String policy) {
    return run(trace, options, policy, FifoListener.NONE);
  }

  /**
   * The same, followed as it goes.
   *
   * @throws IllegalArgumentException for an unknown policy
   */
  public static SimulationRun run(
      Trace trace, FleetOptions options, String policy, FifoListener listener) {
    RoutingPolicy chooser = Policies.parse(policy);
    FifoFleet fleet = new FifoFleet(options, listener);
    RunTally tally = new RunTally(options.replicas(), trace.size());
    for (int request = 0; request < trace.size(); request++) {
      fleet.arrive(trace, request);
      int replica = chooser.choose(fleet);
      if (replica == RoutingPolicy.NONE) {
        throw new IllegalStateException(policy + " chose no replica though all are available");
      }
      fleet.send(replica, tally);
    }
    return tally.toRun(chooser.name(), options);
  }
}
