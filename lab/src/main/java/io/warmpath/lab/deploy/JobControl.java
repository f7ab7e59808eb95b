package io.warmpath.lab.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.flink.FlinkRest;
import io.warmpath.lab.flink.FlinkRest.Job;
import io.warmpath.lab.flink.FlinkRest.Savepoint;
import io.warmpath.lab.flink.FlinkRestException;
import io.warmpath.lab.flink.RunRequest;
import io.warmpath.lab.flink.RunRequest.LeftState;
import io.warmpath.lab.flink.StackTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Starts and ends one kind of job on a cluster, and waits until that is so. */
final class JobControl {

  /** What a deployed job carries: the jar that it came from, and its options. */
  private static final String JAR = "warmpath.jar";

  private static final String OPTIONS = "warmpath.options";
  private static final Duration POLL = Duration.ofMillis(250);
  private static final int SHOWN_CHARS = 300;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final FlinkRest rest;
  private final DeployedJob job;
  private final Duration patience;

  JobControl(FlinkRest rest, DeployedJob job, Duration patience) {
    this.rest = rest;
    this.job = job;
    this.patience = patience;
  }

  /** An id of a job or of a savepoint to be. */
  static String newId() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  FlinkRest rest() {
    return rest;
  }

  /** Jobs that publish, or are about to. */
  List<Job> publishing() throws FlinkRestException, InterruptedException {
    return alive(job.flinkName());
  }

  /** Candidates beside them. */
  List<Job> trials() throws FlinkRestException, InterruptedException {
    return alive(job.flinkName() + job.trialSuffix());
  }

  private List<Job> alive(String name) throws FlinkRestException, InterruptedException {
    return rest.jobs().stream().filter(each -> each.name().equals(name) && each.isAlive()).toList();
  }

  boolean isAlive(String jobId) throws FlinkRestException, InterruptedException {
    return jobId != null && rest.job(jobId).filter(Job::isAlive).isPresent();
  }

  /**
   * The jar that a job came from, if it was deployed and the cluster still has it.
   *
   * @throws JobFailed if the cluster takes no jars
   */
  Optional<String> jarOf(String jobId) throws FlinkRestException, InterruptedException, JobFailed {
    List<String> kept;
    try {
      kept = rest.jars();
    } catch (FlinkRestException e) {
      if (e.status() == 404) {
        throw new JobFailed(
            e.getMessage()
                + "; it takes no jars: is it a session cluster, with web.submit.enable: true?");
      }
      throw e;
    }
    return Optional.ofNullable(rest.parameters(jobId).get(JAR)).filter(kept::contains);
  }

  /** The options that a job was deployed with, but for those that reach Kafka. */
  Optional<List<String>> optionsOf(String jobId) throws FlinkRestException, InterruptedException {
    String text = rest.parameters(jobId).get(OPTIONS);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          List.of(MAPPER.readValue(Base64.getUrlDecoder().decode(text), String[].class)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Starts the version that publishes; {@link #awaitStarted} tells whether it runs. */
  void start(DeployState.Version version, String savepoint)
      throws FlinkRestException, InterruptedException {
    JobArguments arguments = JobArguments.parse(version.arguments());
    start(version, arguments, version.jobId(), savepoint, LeftState.REFUSED);
  }

  /** Starts a candidate beside the one that publishes. */
  void startTrial(DeployState.Version version, String jobId, String savepoint)
      throws FlinkRestException, InterruptedException {
    JobArguments arguments = JobArguments.parse(version.arguments()).asTrial(job.trialSuffix());
    // Its sinks have uids of their own, so that they do not touch open transactions.
    start(version, arguments, jobId, savepoint, LeftState.DROPPED);
  }

  private void start(
      DeployState.Version version,
      JobArguments arguments,
      String jobId,
      String savepoint,
      LeftState leftState)
      throws FlinkRestException, InterruptedException {
    RunRequest request =
        new RunRequest(
            version.jarId(),
            jobId,
            job.entryClass(),
            version.parallelism(),
            arguments.list(),
            savepoint,
            leftState,
            Map.of(JAR, version.jarId(), OPTIONS, encoded(arguments)));
    try {
      rest.run(request);
    } catch (FlinkRestException e) {
      // The answer may be lost and the job there all the same.
      if (e.status() != FlinkRestException.NO_ANSWER || rest.job(jobId).isEmpty()) {
        throw e;
      }
    }
  }

  private static String encoded(JobArguments arguments) {
    try {
      byte[] json =
          MAPPER.writeValueAsString(arguments.withoutSecrets()).getBytes(StandardCharsets.UTF_8);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns when a job runs and has completed a checkpoint, if it takes any.
   *
   * @throws JobFailed if it fails even once, or does not come so far in time
   */
  void awaitStarted(String jobId) throws FlinkRestException, InterruptedException, JobFailed {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!isStarted(jobId)) {
      if (System.nanoTime() > deadline) {
        throw new JobFailed("it does not run after " + patience.toSeconds() + " s");
      }
      pause();
    }
  }

  private boolean isStarted(String jobId)
      throws FlinkRestException, InterruptedException, JobFailed {
    requireNoFailure(jobId);
    return rest.isRunning(jobId)
        && (rest.checkpointIntervalMs(jobId) == 0 || rest.lastCheckpoint(jobId) > 0);
  }

  /**
   * Returns if a job has never failed.
   *
   * @throws JobFailed if it has, or is no more
   */
  void requireNoFailure(String jobId) throws FlinkRestException, InterruptedException, JobFailed {
    Job found =
        rest.job(jobId).orElseThrow(() -> new JobFailed("the cluster knows no job " + jobId));
    String failure = rest.lastFailure(jobId);
    if (!failure.isEmpty() || !found.isAlive()) {
      throw new JobFailed(
          "job "
              + jobId
              + " is "
              + found.state()
              + (failure.isEmpty() ? "" : ": " + StackTraces.reason(failure, SHOWN_CHARS)));
    }
  }

  /** Ends a job, if it is there, and returns when it has ended. */
  void cancel(String jobId) throws FlinkRestException, InterruptedException, JobFailed {
    if (!isAlive(jobId)) {
      return;
    }
    try {
      rest.cancel(jobId);
    } catch (FlinkRestException e) {
      // It may have ended by itself meanwhile.
      if (e.status() / 100 != 4) {
        throw e;
      }
    }
    awaitEnded(jobId);
  }

  void awaitEnded(String jobId) throws FlinkRestException, InterruptedException, JobFailed {
    long deadline = System.nanoTime() + patience.toNanos();
    while (isAlive(jobId)) {
      if (System.nanoTime() > deadline) {
        throw new JobFailed("job " + jobId + " does not end in " + patience.toSeconds() + " s");
      }
      pause();
    }
  }

  /**
   * Waits for a savepoint that was triggered.
   *
   * @return where it lies
   * @throws JobFailed if it fails or does not come in time, or the cluster knows of none
   */
  String awaitSavepoint(String jobId, String triggerId)
      throws FlinkRestException, InterruptedException, JobFailed {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Savepoint savepoint =
          rest.savepoint(jobId, triggerId)
              .orElseThrow(
                  () -> new JobFailed("the cluster knows of no savepoint of job " + jobId));
      if (savepoint.location() != null) {
        return savepoint.location();
      }
      if (savepoint.done()) {
        String trace = savepoint.failure() == null ? "no reason is given" : savepoint.failure();
        throw new JobFailed("no savepoint: " + StackTraces.reason(trace, SHOWN_CHARS));
      }
      if (System.nanoTime() > deadline) {
        throw new JobFailed("no savepoint in " + patience.toSeconds() + " s");
      }
      pause();
    }
  }

  private static void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
  }
}
