package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.cli.CommandRun;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A log of events whose jobs are killed, stopped and rescaled while they read it. Its minutes pass
 * in seconds, as what jobs make of it does not depend on a clock.
 */
final class RestartedLog implements AutoCloseable {

  private static final long AGE_MS = 3_600_000;

  /** Where all windows begin, so that what is late for which does not depend on when it is run. */
  private static final long ALIGN_MS = 300_000;

  /** Every partition has an event in so much time. */
  private static final long SPARSE_MS = 10_000;

  private static final Duration SHORT_IDLENESS = Duration.ofSeconds(3);
  private static final long SHORT_STEP_MS = 30_000;

  /** More than panes are kept. */
  private static final long RETURNS_AFTER_MS = 400_000;

  private final LiveJobs live = new LiveJobs(2);
  private final Path folder;
  private final long startMs = (System.currentTimeMillis() - AGE_MS) / ALIGN_MS * ALIGN_MS;
  private final LogTraffic traffic;
  private final long stepMs;
  private long lastStepMs;
  private String output;

  /**
   * @param folder for savepoints and reports
   * @param requestsPerSecond traffic, in the log's time
   * @param stepMs how much of the log is written between two restarts
   */
  RestartedLog(Path folder, double requestsPerSecond, long stepMs) {
    this.folder = folder;
    this.stepMs = stepMs;
    traffic = new LogTraffic(1, startMs, requestsPerSecond, live::send);
  }

  /** Writes a step, and waits until the jobs have it. */
  void write() {
    write(stepMs);
  }

  private void write(long spanMs) {
    lastStepMs = traffic.nowMs();
    long endMs = traffic.run(spanMs);
    live.flush();
    live.awaitUntil(endMs - SPARSE_MS);
  }

  /** Writes a step that is lost with the jobs, which are killed, and so published twice. */
  void writeAndKill(int parallelism) {
    List<String> checkpoint = live.checkpoint();
    write();
    live.killAndGoOn(checkpoint, parallelism);
  }

  /** Stops the jobs with a savepoint from which they go on. */
  void stopAndGoOn(int parallelism) {
    live.stopAndGoOn(folder, parallelism);
  }

  /**
   * A partition that was silent for long brings an event of which no pane is kept. As it is not
   * waited for, no other one is surely waited for either if the machine is slow: so steps are
   * short, and of the last one nothing is certain.
   */
  void comeBackAfterRetention() {
    int partition = live.addPartition(Topics.REPLICA_TELEMETRY);
    live.waitForSilentOnes(SHORT_IDLENESS);
    live.stopAndGoOn(folder, 1);
    write(SHORT_STEP_MS);
    traffic.report(partition, RETURNS_AFTER_MS);
    write(SHORT_STEP_MS);
    write(SHORT_STEP_MS);
  }

  /** When the last step begins, in epoch milliseconds. */
  long lastStepMs() {
    return lastStepMs;
  }

  LiveJobs live() {
    return live;
  }

  /** When the log begins, in epoch milliseconds. */
  long startMs() {
    return startMs;
  }

  /** Records that were written, whatever they hold. */
  long records() {
    return traffic.records();
  }

  /** Runs the command, and returns its report. */
  JsonNode verify(int exitCode, String... more) throws IOException {
    Path json = folder.resolve("report.json");
    List<String> args =
        new ArrayList<>(
            List.of(
                "verify-log", "--bootstrap-servers", live.servers(), "--json", json.toString()));
    args.addAll(List.of(more));
    CommandRun run = CommandRun.of(args);
    assertEquals(exitCode, run.exitCode(), run::output);
    output = run.output();
    return new ObjectMapper().readTree(json.toFile());
  }

  /** What the last run of the command showed. */
  String output() {
    return output;
  }

  /** Why windows of a report are undetermined. */
  static Set<String> reasons(JsonNode report) {
    Set<String> reasons = new HashSet<>();
    report.get("undetermined").forEach(each -> reasons.add(each.get("reason").textValue()));
    return reasons;
  }

  @Override
  public void close() {
    live.close();
  }
}
