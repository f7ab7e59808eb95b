package io.warmpath.lab.cli;

import io.warmpath.jobs.config.TopicCheck;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.verify.VerifyLog;
import io.warmpath.lab.verify.VerifyOptions;
import io.warmpath.lab.verify.VerifyReport;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays the event log and compares what comes out with what was published. */
@Command(
    name = "verify-log",
    description = {
      "Checks that the published statistics and weights follow from the events.",
      "Replays the event topics through the statistics job at each parallelism, and the statistics"
          + " through the control law; compares the final row of every key and window, and every"
          + " decision, byte for byte. Nothing is written to Kafka. What the log does not determine"
          + " is listed. Exit code 0: no difference; 1: differences, or nothing to compare; 2: used"
          + " wrongly."
    },
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:failed, or a record differs"},
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath verify-log --bootstrap-servers localhost:9092",
      "  warmpath verify-log --bootstrap-servers localhost:9092 --from 2026-12-01T08:00:00Z",
      "  warmpath verify-log --bootstrap-servers localhost:9092 --bound 5s --parallelism 1,2,4"
    })
final class VerifyLogCommand implements Callable<Integer> {

  @Mixin private KafkaOptions kafka;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Only events written then or later: 2026-12-01T08:00:00Z or epoch ms.")
  private String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Only events written before that.")
  private String to;

  @Option(
      names = "--parallelism",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "1,2",
      description = "Parallelisms to replay at.")
  private List<Integer> parallelisms;

  @Mixin private LiveJobOptions liveJobs;

  @Option(
      names = "--show",
      paramLabel = "N",
      defaultValue = "20",
      description = "Show at most so many differences.")
  private int show;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all that was found there.")
  private Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    JsonFile.requireWritable(json);
    VerifyOptions options = options();
    TopicCheck.require(
        options.stats().kafka(),
        List.of(
            Topics.REQUESTS,
            Topics.CACHE_EVENTS,
            Topics.REPLICA_TELEMETRY,
            Topics.ROUTING_STATS,
            Topics.WEIGHT_DECISIONS));
    Screen screen = Screen.of(spec);
    VerifyReport report = VerifyLog.run(options, screen::progress);
    VerifyTables.of(report, show).forEach(screen::line);
    if (json != null) {
      JsonFile.write(json, report);
    }
    return report.good() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private VerifyOptions options() {
    if (show < 0) {
      throw new IllegalArgumentException("--show: must be at least 0, not " + show);
    }
    return new VerifyOptions(
        kafka.properties(),
        liveJobs.stats(kafka),
        liveJobs.weights(kafka),
        time("--from", from),
        time("--to", to),
        parallelisms);
  }

  private static OptionalLong time(String option, String text) {
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(
          text.matches("\\d{1,15}") ? Long.parseLong(text) : Instant.parse(text).toEpochMilli());
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          option + ": must be a time like 2026-12-01T08:00:00Z or epoch ms, not '" + text + "'", e);
    }
  }
}
