package io.warmpath.lab.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.ExecutionPlan;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A Flink cluster inside this process: one job manager, one task manager, state on the heap,
 * checkpoints in a temporary folder. It has no web page.
 */
public final class EmbeddedFlink implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private final MiniCluster cluster;
  private final Configuration configuration;
  private final DataFolder checkpoints;
  private final List<JobID> jobs = new ArrayList<>();

  private EmbeddedFlink(MiniCluster cluster, Configuration configuration, DataFolder checkpoints) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.checkpoints = checkpoints;
  }

  /**
   * Starts a cluster.
   *
   * @param slots subtasks of one operator that it can run, all jobs together
   */
  public static EmbeddedFlink start(int slots) {
    return start(slots, new Configuration());
  }

  /**
   * Starts a cluster.
   *
   * @param slots subtasks of one operator that it can run, all jobs together
   * @param more settings that replace or add to its own
   */
  public static EmbeddedFlink start(int slots, Configuration more) {
    DataFolder checkpoints = DataFolder.temporary("flink");
    Configuration configuration = configuration(checkpoints);
    configuration.addAll(more);
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .setRpcServiceSharing(RpcServiceSharing.SHARED)
                .withRandomPorts()
                .build());
    try {
      cluster.start();
    } catch (Exception e) {
      checkpoints.close();
      throw new IllegalStateException("Flink cannot start: " + e.getMessage(), e);
    }
    return new EmbeddedFlink(cluster, configuration, checkpoints);
  }

  private static Configuration configuration(DataFolder checkpoints) {
    Configuration configuration = new Configuration();
    configuration.set(DeploymentOptions.TARGET, "local");
    configuration.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.path().toUri().toString());
    // Else it leaves an empty folder of uploads among the temporary files.
    configuration.set(WebOptions.TMP_DIR, checkpoints.path().toString());
    // A job can go on from its last checkpoint after it was cancelled.
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(1));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
    return configuration;
  }

  /**
   * Builds a job and runs it. Returns when all its subtasks run.
   *
   * @param name name of the job
   * @param parallelism default parallelism of its operators
   * @param topology wires sources, operators and sinks
   * @throws IllegalStateException if the job fails before it runs
   */
  public EmbeddedJob run(
      String name, int parallelism, Consumer<StreamExecutionEnvironment> topology) {
    EmbeddedJob job = submit(name, parallelism, configuration, topology);
    awaitRunning(job);
    return job;
  }

  /**
   * The same, where the job goes on from a checkpoint or savepoint.
   *
   * @param state as {@link EmbeddedJob#checkpoint()} gave it
   */
  public EmbeddedJob runFrom(
      String state, String name, int parallelism, Consumer<StreamExecutionEnvironment> topology) {
    Configuration restoring = configuration.clone();
    restoring.set(StateRecoveryOptions.SAVEPOINT_PATH, state);
    EmbeddedJob job = submit(name, parallelism, restoring, topology);
    awaitRunning(job);
    return job;
  }

  /**
   * Builds a job on bounded sources and runs it. Returns when it has read and written all.
   *
   * @param whileRunning called now and then meanwhile
   * @throws IllegalStateException if the job fails, with the reason
   */
  public void runToEnd(
      String name,
      int parallelism,
      Consumer<StreamExecutionEnvironment> topology,
      Runnable whileRunning) {
    EmbeddedJob job = submit(name, parallelism, configuration, topology);
    while (job.status() != JobStatus.FINISHED) {
      job.requireNotFailed();
      whileRunning.run();
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /**
   * Runs a job that was built elsewhere, with the jars that it names. Returns when all its subtasks
   * run.
   *
   * @throws IllegalStateException if the job fails before it runs, with the reason
   */
  public EmbeddedJob run(JobGraph graph) {
    EmbeddedJob job = submit(graph.getName(), graph);
    awaitRunning(job);
    return job;
  }

  private EmbeddedJob submit(
      String name,
      int parallelism,
      Configuration settings,
      Consumer<StreamExecutionEnvironment> topology) {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
    env.setParallelism(parallelism);
    topology.accept(env);
    StreamGraph graph = env.getStreamGraph();
    graph.setJobName(name);
    return submit(name, graph);
  }

  private EmbeddedJob submit(String name, ExecutionPlan plan) {
    JobID id = await(cluster.submitJob(plan), "submit " + name).getJobID();
    jobs.add(id);
    return new EmbeddedJob(name, id, cluster);
  }

  private void awaitRunning(EmbeddedJob job) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!allRunning(job)) {
      job.requireAlive();
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            job.name() + " does not run after " + PATIENCE.toSeconds() + " s: " + job.status());
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private boolean allRunning(EmbeddedJob job) {
    AccessExecutionGraph graph =
        await(cluster.getExecutionGraph(job.id()), "ask for " + job.name());
    boolean any = false;
    for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
      if (vertex.getExecutionState() != ExecutionState.RUNNING) {
        return false;
      }
      any = true;
    }
    return any;
  }

  static <T> T await(CompletableFuture<T> future, String what) {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot " + what + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("cannot " + what + ": no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("cannot " + what + ": interrupted", e);
    }
  }

  /** The cluster's settings. */
  public Configuration configuration() {
    return configuration.clone();
  }

  /** Cancels all jobs, stops the cluster, and waits until it has stopped. */
  @Override
  public void close() {
    try {
      for (JobID job : jobs) {
        if (!await(cluster.getJobStatus(job), "ask for a job").isGloballyTerminalState()) {
          await(cluster.cancelJob(job), "cancel a job");
          await(cluster.requestJobResult(job), "cancel a job");
        }
      }
    } finally {
      try {
        await(cluster.closeAsync(), "stop Flink");
      } finally {
        checkpoints.close();
      }
    }
  }
}
