package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup.StateBackend;
import java.util.List;
import java.util.OptionalDouble;

/**
 * All contenders on one topic.
 *
 * @param workload what is in the topic
 * @param meanEventBytes mean size of an event's value
 * @param checkpointIntervalMs time between checkpoints
 * @param rows one a measurement
 */
public record PipelineReport(
    Workload workload, double meanEventBytes, long checkpointIntervalMs, List<PipelineRow> rows) {

  /** Whether everyone counted the same events, the true ones. */
  public boolean isSound() {
    return rows.stream().allMatch(row -> row.isSound(workload.events()));
  }

  /** Events a second; empty where it was not measured. */
  public OptionalDouble speed(ContenderKind contender, int parallelism, StateBackend state) {
    return rows.stream()
        .filter(
            row ->
                row.contender() == contender
                    && row.parallelism() == parallelism
                    && row.state() == state)
        .mapToDouble(PipelineRow::eventsPerSecond)
        .findFirst();
  }

  /** How fast a contender with state on the heap is in terms of another. */
  public OptionalDouble ratio(ContenderKind of, ContenderKind to, int parallelism) {
    return ratio(speed(of, parallelism, StateBackend.HEAP), to, parallelism);
  }

  /** How fast something is in terms of a contender with state on the heap. */
  OptionalDouble ratio(OptionalDouble speed, ContenderKind to, int parallelism) {
    OptionalDouble other = speed(to, parallelism, StateBackend.HEAP);
    return speed.isEmpty() || other.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(speed.getAsDouble() / other.getAsDouble());
  }
}
