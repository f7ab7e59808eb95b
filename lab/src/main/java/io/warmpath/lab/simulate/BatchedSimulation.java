package io.warmpath.lab.simulate;

import io.warmpath.lab.trace.Trace;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.policy.RoutingPolicy;

/**
 * The {@code batched} engine over a trace, open loop: every request arrives at its time whatever
 * became of the others. Replicas batch continuously, as the modelled replica does in real time.
 * Traces have no ids for answers, so only blocks of prompts are cached.
 */
public final class BatchedSimulation {

  /** KV tokens that one replica can address at most. */
  private static final int MAX_KV_TOKENS = Integer.MAX_VALUE / 2;

  /** Distinct ids for blocks of a trace without ids lie above all that traces use. */
  private static final long FIRST_UNIQUE_ID = 1L << 62;

  private BatchedSimulation() {}

  /**
   * Runs a trace against empty caches.
   *
   * @param options its capacity is in blocks of the trace; 0 = enough for all of the trace
   * @param profile engine of each replica; block size and memory come from trace and options
   * @param policy name as in {@link Policies#parse}
   * @throws IllegalArgumentException for an unknown policy, arrivals that go back in time, or a
   *     request that no replica's memory could hold
   */
  public static SimulationRun run(
      Trace trace, FleetOptions options, EngineProfile profile, String policy) {
    RoutingPolicy chooser = Policies.parse(policy);
    requireOrder(trace);
    BatchedFleet fleet = new BatchedFleet(sized(profile, trace, options), options);
    RunTally tally = new RunTally(options.replicas(), trace.size());
    int blockTokens = trace.blockTokens();
    for (int i = 0; i < trace.size(); i++) {
      FleetRequest request = request(trace, i);
      int promptBlocks = request.promptTokens() / blockTokens;
      while (fleet.nextEventMicros() <= trace.arrivalMicros(i)) {
        fleet.runNextEvent();
      }
      fleet.route(
          chooser,
          request,
          trace.arrivalMicros(i),
          served -> count(served, tally, promptBlocks, blockTokens));
    }
    while (fleet.nextEventMicros() < Long.MAX_VALUE) {
      fleet.runNextEvent();
    }
    return tally.toRun(chooser.name(), options);
  }

  private static void count(
      ServedRequest served, RunTally tally, int promptBlocks, int blockTokens) {
    int cached = served.cachedTokens();
    tally.routed(
        served.replica(), served.promptTokens(), cached, promptBlocks, cached / blockTokens);
    tally.firstToken(served.ttftMicros());
  }

  private static FleetRequest request(Trace trace, int i) {
    int prompt = Math.max(1, trace.inputTokens(i));
    int blocks = trace.fullBlocks(i);
    long[] hashes =
        trace.format().hasBlockIds() ? trace.leadingIds(i, blocks) : uniqueIds(trace, i);
    return new FleetRequest(hashes, prompt, Math.max(1, trace.outputTokens(i)), trace.session(i));
  }

  /** A prompt that shares nothing still fills the cache. */
  private static long[] uniqueIds(Trace trace, int i) {
    long[] ids = new long[trace.inputTokens(i) / trace.blockTokens()];
    for (int block = 0; block < ids.length; block++) {
      ids[block] = FIRST_UNIQUE_ID + ((long) i << 32) + block;
    }
    return ids;
  }

  private static void requireOrder(Trace trace) {
    for (int i = 1; i < trace.size(); i++) {
      if (trace.arrivalMicros(i) < trace.arrivalMicros(i - 1)) {
        throw new IllegalArgumentException(
            "the batched engine needs requests in order of time; request "
                + i
                + " (counted from 0) arrives before the one above it");
      }
    }
  }

  private static EngineProfile sized(EngineProfile profile, Trace trace, FleetOptions options) {
    int blocks = options.capacityBlocks() == 0 ? blocksForAll(trace) : options.capacityBlocks();
    // In this order no intermediate profile has more tokens than the last one.
    return profile.withKvBlocks(1).withBlockTokens(trace.blockTokens()).withKvBlocks(blocks);
  }

  private static int blocksForAll(Trace trace) {
    long blocks = 0;
    for (int i = 0; i < trace.size(); i++) {
      blocks += (trace.inputTokens(i) + trace.outputTokens(i)) / trace.blockTokens() + 2;
    }
    return (int) Math.min(blocks, Math.min(1 << 24, MAX_KV_TOKENS / trace.blockTokens()));
  }

  /** Blocks of the trace's size that fit into the memory of a profile. */
  public static int capacityOf(EngineProfile profile, Trace trace) {
    return Math.max(1, profile.maxModelTokens() / trace.blockTokens());
  }
}
