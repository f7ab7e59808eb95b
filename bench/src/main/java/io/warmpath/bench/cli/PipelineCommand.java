package io.warmpath.bench.cli;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup.StateBackend;
import io.warmpath.bench.pipeline.GrowthBench;
import io.warmpath.bench.pipeline.GrowthReport;
import io.warmpath.bench.pipeline.GrowthTable;
import io.warmpath.bench.pipeline.PipelineBench;
import io.warmpath.bench.pipeline.PipelinePlan;
import io.warmpath.bench.pipeline.PipelineReport;
import io.warmpath.bench.pipeline.PipelineTables;
import io.warmpath.bench.pipeline.Workload;
import io.warmpath.lab.cli.JsonOutput;
import io.warmpath.lab.screen.Screen;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the stats job against what else could read the topic. */
@Command(
    name = "pipeline",
    description = {
      "Measures who reads a topic of finished requests how fast: a plain consumer, Flink's source"
          + " with nothing behind it, the stats job, the nearest Flink SQL and the nearest Kafka"
          + " Streams program.",
      "Each runs in a JVM of its own, one after the other, and reads the topic over and over until"
          + " it is warm; the reading after that counts. All windows are compared with the truth:"
          + " exit code 1 if any is wrong."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath bench pipeline --json out.json",
      "  warmpath bench pipeline --growth",
      "  warmpath bench pipeline --contender stats,flink_source --parallelism 2 \\",
      "      --jvm=-XX:StartFlightRecording=filename=stats.jfr"
    })
final class PipelineCommand implements Callable<Integer> {

  private static final String DEFAULT_KINDS =
      "plain_consumer,flink_source,stats,stats_no_duplicates,flink_sql,kafka_streams";

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "1500000",
      description = "Events in the topic.")
  private long events;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "64",
      description = "Replicas in the events, under four policies.")
  private int replicas;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Events in a second of their own time; fewer make more windows an event.")
  private int rate;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2",
      description = "Threads or subtasks of each.")
  private List<Integer> parallelisms;

  @Option(
      names = "--state",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "heap,rocksdb",
      description = "Where the stats job keeps its state.")
  private List<StateBackend> backends;

  @Option(
      names = "--contender",
      paramLabel = "NAME",
      split = ",",
      defaultValue = DEFAULT_KINDS,
      description = "Who takes part.")
  private Set<ContenderKind> kinds;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Each reads the topic for so long, and at least once, before it is measured.")
  private int warmUpSeconds;

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      description = "One more option of the measured JVMs, say for a flight recording.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--growth",
      description = "Measures the stats job alone, with 8, 64 and 512 replicas.")
  private boolean growth;

  @Mixin private JsonOutput json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    json.requireWritable();
    return growth ? growth() : compare();
  }

  private int compare() throws IOException, InterruptedException {
    PipelinePlan plan =
        new PipelinePlan(
            EnumSet.copyOf(kinds), parallelisms, backends, warmUpSeconds * 1_000L, jvmOptions);
    Workload workload = Workload.before(System.currentTimeMillis(), events, replicas, rate);
    Screen screen = Screen.of(spec);
    PipelineReport report = new PipelineBench(screen::progress).run(workload, plan);
    screen.line(
        "%,d events of %.0f bytes, %d replicas, 4 policies, %,d events in a second of their time"
            .formatted(events, report.meanEventBytes(), replicas, rate));
    screen.line("");
    PipelineTables.lines(report).forEach(screen::line);
    return end(screen, report, report.isSound());
  }

  private int growth() throws IOException, InterruptedException {
    Screen screen = Screen.of(spec);
    GrowthReport report =
        new GrowthBench(screen::progress)
            .run(events, rate, Collections.max(parallelisms), warmUpSeconds * 1_000L);
    GrowthTable.lines(report).forEach(screen::line);
    return end(screen, report, report.isSound());
  }

  private int end(Screen screen, Object report, boolean isSound) throws IOException {
    json.write(report);
    if (!isSound) {
      screen.line("Not all counted the same events, or percentiles are more than 1 % off.");
    }
    return isSound ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
