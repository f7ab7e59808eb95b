package io.warmpath.lab.deploy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What is deployed, where, and how much is asked of it.
 *
 * @param job the job
 * @param target a Flink cluster's REST API
 * @param jar the new version
 * @param previousJar the running version, to go back to; null if the cluster has it from an earlier
 *     deployment
 * @param arguments options of the new version
 * @param bootstrapServers brokers as they are reached from here; null for the job's own
 * @param savepointFolder where savepoints go, reached from here too; null for the cluster's own
 * @param parallelism parallelism of the new version; 0 for that of the running one
 * @param jobId the running job, where several have its name; null for the only one
 * @param initialState where the first version of all begins: a savepoint, or {@link #EMPTY}; null
 *     if there must be a running one
 * @param expected fields that may differ
 * @param compareFor how long windows are compared before the cut
 * @param verifyFor how many milliseconds of windows are compared after it
 * @param patience how long a cluster or a job may take for one thing
 * @param journal file that remembers what is under way
 */
public record DeployOptions(
    DeployedJob job,
    URI target,
    Path jar,
    Path previousJar,
    JobArguments arguments,
    String bootstrapServers,
    String savepointFolder,
    int parallelism,
    String jobId,
    String initialState,
    ExpectedChange expected,
    Duration compareFor,
    Duration verifyFor,
    Duration patience,
    Path journal) {

  /** An initial state of nothing. */
  public static final String EMPTY = "empty";

  private static final int MAX_PARALLELISM = 128;

  public DeployOptions {
    if (parallelism < 0 || parallelism > MAX_PARALLELISM) {
      throw new IllegalArgumentException(
          "--parallelism: must be from 1 to " + MAX_PARALLELISM + ", not " + parallelism);
    }
    requireUpTo("--compare-for", compareFor, Duration.ofHours(1));
    requireUpTo("--verify-for", verifyFor, Duration.ofMinutes(10));
    requireUpTo("--patience", patience, Duration.ofHours(1));
    if (patience.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("--patience: must be at least 1s");
    }
  }

  private static void requireUpTo(String option, Duration given, Duration most) {
    if (given.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          option + ": must be at most " + most.toMinutes() + "m, not " + given.toSeconds() + "s");
    }
  }

  /** Properties of Kafka clients here. */
  Map<String, Object> kafka() {
    return arguments.kafka(bootstrapServers);
  }
}
