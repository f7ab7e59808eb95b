package io.warmpath.lab.embedded;

import java.nio.file.Path;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;

/** A job on an {@link EmbeddedFlink}. */
public final class EmbeddedJob {

  private final String name;
  private final JobID id;
  private final MiniCluster cluster;

  EmbeddedJob(String name, JobID id, MiniCluster cluster) {
    this.name = name;
    this.id = id;
    this.cluster = cluster;
  }

  public String name() {
    return name;
  }

  JobID id() {
    return id;
  }

  /** What the job does now. */
  public JobStatus status() {
    return EmbeddedFlink.await(cluster.getJobStatus(id), "ask for " + name);
  }

  /** How often subtasks were started again, the most of all of them. */
  public int restarts() {
    AccessExecutionGraph graph =
        EmbeddedFlink.await(cluster.getExecutionGraph(id), "ask for " + name);
    int most = 0;
    for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
      most = Math.max(most, vertex.getCurrentExecutionAttempt().getAttemptNumber());
    }
    return most;
  }

  /**
   * Returns if the job may still go on.
   *
   * @throws IllegalStateException if it has failed for good, with the reason
   */
  public void requireAlive() {
    requireNot(JobStatus::isGloballyTerminalState);
  }

  /** The same, where it is well that a job has come to its end. */
  void requireNotFailed() {
    requireNot(status -> status.isGloballyTerminalState() && status != JobStatus.FINISHED);
  }

  private void requireNot(Predicate<JobStatus> ended) {
    JobStatus status = status();
    if (ended.test(status)) {
      AccessExecutionGraph graph =
          EmbeddedFlink.await(cluster.getExecutionGraph(id), "ask for " + name);
      String reason =
          graph.getFailureInfo() == null
              ? "no reason is known"
              : graph.getFailureInfo().getExceptionAsString();
      throw new IllegalStateException(name + " is " + status + ": " + reason);
    }
  }

  /** Takes a checkpoint, and returns where it lies, until the cluster is closed. */
  public String checkpoint() {
    return EmbeddedFlink.await(cluster.triggerCheckpoint(id), "take a checkpoint of " + name);
  }

  /** Takes a savepoint in a folder while the job goes on, and returns where that lies. */
  public String savepoint(Path folder) {
    return EmbeddedFlink.await(
        cluster.triggerSavepoint(
            id, folder.toUri().toString(), false, SavepointFormatType.CANONICAL),
        "take a savepoint of " + name);
  }

  /** Stops the job after a savepoint in a folder, and returns where that lies. */
  public String stopWithSavepoint(Path folder) {
    return EmbeddedFlink.await(
        cluster.stopWithSavepoint(
            id, folder.toUri().toString(), false, SavepointFormatType.CANONICAL),
        "stop " + name);
  }

  /** Ends the job where it stands; what it did after its last checkpoint is not remembered. */
  public void cancel() {
    EmbeddedFlink.await(cluster.cancelJob(id), "cancel " + name);
    EmbeddedFlink.await(cluster.requestJobResult(id), "cancel " + name);
  }
}
