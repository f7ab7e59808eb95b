package io.warmpath.lab.simulate;

import io.warmpath.lab.trace.Trace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * {@code adaptive} beside the best of the other policies, over fleets of several sizes and caches
 * and with and without a slow replica, on the {@code fifo} engine.
 *
 * @param replicas sizes of the fleet
 * @param capacities blocks that each cache holds; 0 = unbounded
 * @param slowdowns what happens to the fleet in the second half of the cells; none = no such half
 */
public record PolicyGrid(
    List<Integer> replicas, List<Integer> capacities, List<Slowdown> slowdowns) {

  /** The policy under test. */
  public static final String CANDIDATE = "adaptive";

  /** The policies of the reference model, and {@code lmetric}. */
  public static final List<String> REFERENCES =
      List.of(
          "round_robin",
          "random",
          "least_loaded",
          "prefix_affinity",
          "cache_aware",
          "blend:0.25",
          "blend:0.5",
          "blend:0.75",
          "blend:0.9",
          "lmetric");

  public PolicyGrid {
    replicas = List.copyOf(replicas);
    capacities = List.copyOf(capacities);
    slowdowns = List.copyOf(slowdowns);
  }

  /**
   * One fleet.
   *
   * @param replicas its size
   * @param capacityBlocks blocks that each cache holds; 0 = unbounded
   * @param slow whether the slowdowns were on
   * @param best the reference with the least mean time to first token
   * @param bestMeanMicros its mean time to first token
   * @param candidateMeanMicros that of the candidate
   * @param meanRatio the latter by the former
   * @param warmest the reference with the highest token hit rate
   * @param hitRatio the candidate's token hit rate by the warmest one's
   */
  public record Cell(
      int replicas,
      int capacityBlocks,
      boolean slow,
      String best,
      double bestMeanMicros,
      double candidateMeanMicros,
      double meanRatio,
      String warmest,
      double hitRatio) {

    static Cell of(FleetOptions fleet, SimulationRun candidate, Collection<SimulationRun> others) {
      SimulationRun best =
          others.stream().min(Comparator.comparingDouble(run -> run.ttftUs().mean())).orElseThrow();
      SimulationRun warmest =
          others.stream()
              .max(Comparator.comparingDouble(SimulationRun::tokenHitRate))
              .orElseThrow();
      return new Cell(
          fleet.replicas(),
          fleet.capacityBlocks(),
          !fleet.slowdowns().isEmpty(),
          best.policy(),
          best.ttftUs().mean(),
          candidate.ttftUs().mean(),
          candidate.ttftUs().mean() / best.ttftUs().mean(),
          warmest.policy(),
          candidate.tokenHitRate() / warmest.tokenHitRate());
    }
  }

  /** Number of runs that {@link #play} makes. */
  public int runs() {
    return fleets().size() * (REFERENCES.size() + 1);
  }

  /**
   * Plays the trace through every cell.
   *
   * @param progress told the number of runs that are done, by several threads
   */
  public List<Cell> play(Trace trace, IntConsumer progress) {
    List<FleetOptions> fleets = fleets();
    List<String> policies = new ArrayList<>(REFERENCES);
    policies.add(CANDIDATE);
    List<Map<String, SimulationRun>> runs =
        fleets.stream().<Map<String, SimulationRun>>map(f -> new ConcurrentHashMap<>()).toList();
    AtomicInteger done = new AtomicInteger();
    IntStream.range(0, runs())
        .parallel()
        .forEach(
            i -> {
              int fleet = i / policies.size();
              String policy = policies.get(i % policies.size());
              runs.get(fleet).put(policy, FifoSimulation.run(trace, fleets.get(fleet), policy));
              progress.accept(done.incrementAndGet());
            });
    return IntStream.range(0, fleets.size())
        .mapToObj(
            i ->
                Cell.of(
                    fleets.get(i),
                    runs.get(i).get(CANDIDATE),
                    REFERENCES.stream().map(runs.get(i)::get).toList()))
        .toList();
  }

  private List<FleetOptions> fleets() {
    List<FleetOptions> fleets = new ArrayList<>();
    for (List<Slowdown> each :
        slowdowns.isEmpty() ? List.of(slowdowns) : List.of(List.<Slowdown>of(), slowdowns)) {
      for (int size : replicas) {
        for (int capacity : capacities) {
          fleets.add(new FleetOptions(size, capacity, each));
        }
      }
    }
    return fleets;
  }
}
