package io.warmpath.lab.simulate;

import java.util.Arrays;
import java.util.List;

/** Adds up one run, request by request. */
final class RunTally {

  private final long[] requests;
  private final long[] missTokens;
  private final long[] ttftMicros;
  private int count;
  private long inputTokens;
  private long hitTokens;
  private long hitBlocks;
  private long blocks;

  RunTally(int replicas, int size) {
    requests = new long[replicas];
    missTokens = new long[replicas];
    ttftMicros = new long[size];
  }

  void routed(int replica, long input, long hit, int promptBlocks, int promptHitBlocks) {
    requests[replica]++;
    missTokens[replica] += input - hit;
    inputTokens += input;
    hitTokens += hit;
    hitBlocks += promptHitBlocks;
    blocks += promptBlocks;
  }

  void firstToken(long micros) {
    ttftMicros[count++] = micros;
  }

  SimulationRun toRun(String policy, FleetOptions fleet) {
    return new SimulationRun(
        policy,
        fleet.replicas(),
        fleet.capacityBlocks(),
        count,
        inputTokens,
        hitTokens,
        hitBlocks,
        blocks,
        TtftSummary.of(Arrays.copyOf(ttftMicros, count)),
        list(requests),
        list(missTokens));
  }

  private static List<Long> list(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
