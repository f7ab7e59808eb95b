package io.warmpath.bench.cli;

import io.warmpath.bench.proxy.Measure;
import io.warmpath.bench.proxy.ProxyBench;
import io.warmpath.bench.proxy.ProxyKind;
import io.warmpath.bench.proxy.ProxyPlan;
import io.warmpath.bench.proxy.ProxyReport;
import io.warmpath.bench.proxy.ProxyTables;
import io.warmpath.lab.cli.JsonOutput;
import io.warmpath.lab.screen.Screen;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the balancer against other proxies. */
@Command(
    name = "proxy",
    description = {
      "Measures the balancer, with routing, events and weights on, beside nginx and HAProxy in front"
          + " of the same upstreams: requests a second, answer times at a fixed rate, and how long a"
          + " chunk of many streams takes from the upstream to the client. If asked, also what the"
          + " balancer keeps in memory after minutes of full load.",
      "Each proxy is bound to one processor; clients, upstreams and the broker have the others."
          + " Everything is on loopback and ends with the command. Exit code 1 if an answer was not"
          + " what the upstream sent, or an event is missing."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath bench proxy --json out.json",
      "  warmpath bench proxy --measure chunks --streams 1000",
      "  warmpath bench proxy --contender balancer --measure memory --minutes 30",
      "  warmpath bench proxy --contender balancer --measure requests \\",
      "      --jvm=-XX:StartFlightRecording=filename=balancer.jfr"
    })
final class ProxyCommand implements Callable<Integer> {

  @Option(
      names = "--contender",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "balancer,nginx,haproxy",
      description = "Who takes part, beside nobody.")
  private Set<ProxyKind> contenders;

  @Option(
      names = "--measure",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "requests,latency,chunks",
      description = "What is measured.")
  private Set<Measure> measures;

  @Option(names = "--replicas", paramLabel = "N", defaultValue = "4", description = "Upstreams.")
  private int replicas;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Load on the balancer before anything counts.")
  private int warmUpSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of each; speeds are the median, times are of all.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How long a turn is, but for chunks.")
  private int seconds;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "64",
      description = "Clients that ask as much as they can, for requests a second.")
  private int connections;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Requests a second, for answer times.")
  private int rate;

  @Option(
      names = "--streams",
      paramLabel = "N",
      defaultValue = "500",
      description = "Streams at once, for chunks.")
  private int streams;

  @Option(
      names = "--chunks",
      paramLabel = "N",
      defaultValue = "50",
      description = "Chunks of a stream.")
  private int chunks;

  @Option(
      names = "--chunk-interval",
      paramLabel = "MS",
      defaultValue = "50",
      description = "Time between them, ms.")
  private long chunkIntervalMs;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "10",
      description = "Minutes of full load on the balancer, for memory.")
  private int minutes;

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      description = "One more option of the balancer's JVM, say for a flight recording.")
  private List<String> jvmOptions = List.of();

  @Mixin private JsonOutput json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    json.requireWritable();
    ProxyPlan plan =
        new ProxyPlan(
            contenders,
            measures,
            replicas,
            warmUpSeconds * 1_000L,
            rounds,
            seconds * 1_000L,
            connections,
            rate,
            streams,
            chunks,
            chunkIntervalMs,
            minutes,
            jvmOptions);
    Screen screen = Screen.of(spec);
    ProxyReport report = new ProxyBench(screen::progress).run(plan);
    ProxyTables.lines(report).forEach(screen::line);
    json.write(report);
    if (!report.isSound()) {
      screen.line("Not all answers were what the upstreams sent, or events are missing.");
    }
    return report.isSound() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
