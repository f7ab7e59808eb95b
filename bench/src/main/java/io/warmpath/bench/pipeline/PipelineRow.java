package io.warmpath.bench.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.warmpath.bench.contender.CheckpointFigures;
import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup.StateBackend;
import java.util.Map;

/**
 * A contender's figures.
 *
 * @param contender who
 * @param parallelism threads or subtasks
 * @param state where a Flink job keeps its state
 * @param events events that it counted
 * @param eventsPerSecond how fast
 * @param cpuMicrosPerEvent processor time of its process for one event, without the broker's
 * @param cpuMicrosByUser the same time by who used it
 * @param allocatedBytesPerEvent bytes allocated on the heap for one event
 * @param checkpoint its last checkpoint; null of those that take none
 * @param check its windows against the truth; null of those that make none
 */
@JsonInclude(Include.NON_NULL)
public record PipelineRow(
    ContenderKind contender,
    int parallelism,
    StateBackend state,
    long events,
    double eventsPerSecond,
    double cpuMicrosPerEvent,
    Map<CpuUser, Double> cpuMicrosByUser,
    double allocatedBytesPerEvent,
    CheckpointFigures checkpoint,
    WindowCheck check) {

  static PipelineRow of(PipelinePlan.Entry entry, MeasuredRun run, Truth truth) {
    ContenderKind kind = entry.kind();
    return new PipelineRow(
        kind,
        entry.parallelism(),
        entry.state(),
        run.processed(),
        run.eventsPerSecond(),
        run.cpuMicrosPerEvent(),
        run.cpuMicrosByUser(),
        run.allocatedBytesPerEvent(),
        kind.runsOnFlink() ? run.checkpoints() : null,
        kind.makesWindows() ? truth.check(kind, run.windows()) : null);
  }

  /** Whether it counted what there is. */
  boolean isSound(long eventsInTopic) {
    return events == eventsInTopic && (check == null || check.holds());
  }
}
