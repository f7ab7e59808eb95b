package io.warmpath.bench.flink;

import io.warmpath.bench.contender.CheckpointFigures;
import io.warmpath.bench.contender.Contender;
import io.warmpath.bench.contender.Setup;
import io.warmpath.bench.contender.WindowFigures;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.EmbeddedJob;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job on a Flink in this process. */
public final class FlinkContender implements Contender {

  /** For RocksDB, and for the buffers that SQL's windows keep there. */
  private static final long MANAGED_MIB_A_SLOT = 256;

  private final EmbeddedFlink flink;
  private final EmbeddedJob job;
  private final Supplier<List<WindowFigures>> windows;

  private FlinkContender(
      EmbeddedFlink flink, EmbeddedJob job, Supplier<List<WindowFigures>> windows) {
    this.flink = flink;
    this.job = job;
    this.windows = windows;
  }

  /** Starts Flink's source with nothing behind it. */
  public static FlinkContender sourceToNothing(Setup setup) {
    return start(setup, env -> SourceToNothing.attach(env, setup), List::of);
  }

  /**
   * Starts the stats job.
   *
   * @param options options of the job that are not as by default
   */
  public static FlinkContender statsJob(Setup setup, String... options) {
    StatsTopicTail rows = new StatsTopicTail(setup.bootstrapServers());
    return start(setup, env -> StatsJob.attach(env, setup, options), rows::windows);
  }

  /** Starts the SQL query. */
  public static FlinkContender sqlQuery(Setup setup) {
    SqlResults.clear();
    return start(setup, env -> SqlQuery.attach(env, setup), SqlResults::windows);
  }

  private static FlinkContender start(
      Setup setup,
      Consumer<StreamExecutionEnvironment> topology,
      Supplier<List<WindowFigures>> windows) {
    Configuration configuration = new Configuration();
    configuration.set(
        StateBackendOptions.STATE_BACKEND,
        setup.state() == Setup.StateBackend.HEAP ? "hashmap" : "rocksdb");
    configuration.set(
        TaskManagerOptions.MANAGED_MEMORY_SIZE,
        MemorySize.ofMebiBytes(MANAGED_MIB_A_SLOT * setup.parallelism()));
    configuration.setString("execution.checkpointing.incremental", "true");
    JobMetrics.report(configuration);
    EmbeddedFlink flink = EmbeddedFlink.start(setup.parallelism(), configuration);
    try {
      EmbeddedJob job = flink.run(setup.name(), setup.parallelism(), topology);
      return new FlinkContender(flink, job, windows);
    } catch (RuntimeException e) {
      flink.close();
      throw e;
    }
  }

  @Override
  public long processed() {
    return JobMetrics.recordsRead();
  }

  @Override
  public CheckpointFigures checkpoints() {
    return JobMetrics.checkpoints();
  }

  @Override
  public List<WindowFigures> windows() {
    return windows.get();
  }

  @Override
  public void requireSound() {
    job.requireAlive();
    if (job.restarts() > 0) {
      throw new IllegalStateException(job.name() + " had to be started again");
    }
  }

  @Override
  public void close() {
    flink.close();
  }
}
