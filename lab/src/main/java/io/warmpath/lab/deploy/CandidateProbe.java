package io.warmpath.lab.deploy;

import io.warmpath.lab.embedded.DataFolder;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.EmbeddedJob;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.flink.OperatorStates;
import io.warmpath.lab.flink.SavepointStates;
import io.warmpath.lab.topics.TopicCreator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.client.program.PackagedProgramUtils;
import org.apache.flink.client.program.ProgramInvocationException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;

/**
 * Runs a candidate's jar in this process, on a Flink and a broker of its own that holds the same
 * topics and no record: what it keeps and what it can take over is seen, and nothing else is
 * touched.
 */
final class CandidateProbe implements AutoCloseable {

  private final DeployedJob job;
  private final Path jar;
  private final JobArguments arguments;
  private final DataFolder savepoints;
  private final EmbeddedKafka broker;
  private final EmbeddedFlink flink;
  private PackagedProgram candidate;

  private CandidateProbe(
      DeployedJob job,
      Path jar,
      JobArguments arguments,
      DataFolder savepoints,
      EmbeddedKafka broker,
      EmbeddedFlink flink) {
    this.job = job;
    this.jar = jar;
    this.arguments = arguments;
    this.savepoints = savepoints;
    this.broker = broker;
    this.flink = flink;
  }

  /**
   * Starts what it runs on.
   *
   * @param partitions partitions of each topic
   */
  static CandidateProbe start(
      DeployedJob job, Path jar, JobArguments arguments, Map<String, Integer> partitions) {
    DataFolder savepoints = DataFolder.temporary("probe");
    EmbeddedKafka broker = EmbeddedKafka.start(0);
    try (TopicCreator topics =
        new TopicCreator(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      topics.create(TrialTopics.specs(DeployedJob.ALL_TOPICS, partitions, ""), (short) 1);
      topics.create(TrialTopics.specs(job.outputs(), partitions, job.trialSuffix()), (short) 1);
      return new CandidateProbe(
          job,
          jar,
          arguments.atEmptyBroker(broker.bootstrapServers()),
          savepoints,
          broker,
          EmbeddedFlink.start(1, settings()));
    } catch (RuntimeException e) {
      broker.close();
      savepoints.close();
      throw e;
    }
  }

  private static Configuration settings() {
    Configuration settings = new Configuration();
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    // The connector is Flink's own here, and must find the Kafka classes that it knows.
    settings.set(
        CoreOptions.ALWAYS_PARENT_FIRST_LOADER_PATTERNS_ADDITIONAL, List.of("org.apache.kafka."));
    return settings;
  }

  /**
   * The states that the candidate asks for, found by two runs: one without any, and one that goes
   * on from the first, as some states are only asked for then.
   *
   * @throws IllegalStateException if it does not start, with the reason
   */
  Map<OperatorID, OperatorStates> declared() throws IOException {
    candidate = program(arguments, SavepointRestoreSettings.none());
    String fresh = savepointOf(candidate);
    SavepointRestoreSettings own = SavepointRestoreSettings.forPath(fresh, false);
    try (PackagedProgram again = program(arguments, own)) {
      return understood(savepointOf(again));
    }
  }

  private String savepointOf(PackagedProgram program) {
    EmbeddedJob run = flink.run(graph(program));
    try {
      return run.savepoint(savepoints.path());
    } finally {
      run.cancel();
    }
  }

  /**
   * The states of a savepoint, by the classes of the candidate that {@link #declared} ran: those of
   * another class loader would not know them.
   */
  Map<OperatorID, OperatorStates> understood(String savepoint) throws IOException {
    return SavepointStates.read(savepoint, candidate.getUserCodeClassLoader());
  }

  /**
   * Lets the candidate go on from a savepoint, as it will in its trial, until it has written all of
   * its state again.
   *
   * @throws IllegalStateException if it cannot, with the reason
   */
  void restore(String savepoint) {
    SavepointRestoreSettings restored = SavepointRestoreSettings.forPath(savepoint, true);
    try (PackagedProgram program = program(arguments.asTrial(job.trialSuffix()), restored)) {
      EmbeddedJob run = flink.run(graph(program));
      run.checkpoint();
      run.cancel();
    }
  }

  private PackagedProgram program(JobArguments with, SavepointRestoreSettings restored) {
    try {
      return PackagedProgram.newBuilder()
          .setJarFile(jar.toFile())
          .setEntryPointClassName(job.entryClass())
          .setArguments(with.list().toArray(String[]::new))
          .setConfiguration(flink.configuration())
          .setSavepointRestoreSettings(restored)
          .build();
    } catch (ProgramInvocationException e) {
      throw new IllegalStateException(jar + ": " + e.getMessage(), e);
    }
  }

  private JobGraph graph(PackagedProgram program) {
    try {
      return PackagedProgramUtils.createJobGraph(program, flink.configuration(), 1, true);
    } catch (ProgramInvocationException e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      throw new IllegalStateException(
          jar.getFileName() + " builds no job: " + root.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try (savepoints;
        broker) {
      flink.close();
    } finally {
      if (candidate != null) {
        candidate.close();
      }
    }
  }
}
