package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Path;
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
  private static final long BOUND_MS = 2_000;

  private final LiveJobs live = new LiveJobs(2);
  private final Path folder;
  private final long startMs = (System.currentTimeMillis() - AGE_MS) / 1_000 * 1_000;
  private final LogTraffic traffic;
  private final long stepMs;

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
    long endMs = traffic.run(stepMs);
    live.flush();
    live.awaitUntil(endMs - 2 * BOUND_MS);
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
    return new ObjectMapper().readTree(json.toFile());
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
