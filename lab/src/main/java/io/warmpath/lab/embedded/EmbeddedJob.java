package io.warmpath.lab.embedded;

import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
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
    JobStatus status = status();
    if (status.isGloballyTerminalState()) {
      AccessExecutionGraph graph =
          EmbeddedFlink.await(cluster.getExecutionGraph(id), "ask for " + name);
      String reason =
          graph.getFailureInfo() == null
              ? "no reason is known"
              : graph.getFailureInfo().getExceptionAsString();
      throw new IllegalStateException(name + " is " + status + ": " + reason);
    }
  }
}
