package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup.StateBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is measured.
 *
 * @param kinds who takes part
 * @param parallelisms with how many threads or subtasks each
 * @param backends where the stats job keeps its state; the others keep it on the heap
 * @param warmUpMs time that each reads the topic before it is measured, at least once
 * @param jvmOptions more options of the measured JVMs
 */
public record PipelinePlan(
    Set<ContenderKind> kinds,
    List<Integer> parallelisms,
    List<StateBackend> backends,
    long warmUpMs,
    List<String> jvmOptions) {

  /** One measurement of the plan. */
  record Entry(ContenderKind kind, int parallelism, StateBackend state) {}

  public PipelinePlan {
    if (kinds.isEmpty() || parallelisms.isEmpty() || backends.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure");
    }
    if (parallelisms.stream().anyMatch(parallelism -> parallelism < 1)) {
      throw new IllegalArgumentException("--parallelism must be at least 1");
    }
    kinds = Set.copyOf(kinds);
    parallelisms = List.copyOf(parallelisms);
    backends = List.copyOf(backends);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** All measurements, in the order of the table. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (int parallelism : parallelisms) {
      for (ContenderKind kind : ContenderKind.values()) {
        if (kinds.contains(kind)) {
          backends(kind).forEach(state -> entries.add(new Entry(kind, parallelism, state)));
        }
      }
    }
    return entries;
  }

  private List<StateBackend> backends(ContenderKind kind) {
    return kind == ContenderKind.STATS ? backends : List.of(StateBackend.HEAP);
  }
}
