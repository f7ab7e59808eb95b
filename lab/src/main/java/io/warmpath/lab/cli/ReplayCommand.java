package io.warmpath.lab.cli;

import io.warmpath.lab.replay.Replay;
import io.warmpath.lab.replay.ReplayOptions;
import io.warmpath.lab.replay.ReplayReport;
import io.warmpath.lab.replay.ReplayResults;
import io.warmpath.lab.screen.Remaining;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceFormat;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays a trace against a server. */
@Command(
    name = "replay",
    description = {
      "Replays a trace against a server.",
      "Sends requests when they are due, whatever became of earlier ones, and measures from when"
          + " they were due. Prompts are token ids made from the trace's hashes: what is shared in"
          + " the trace is shared here. Fails (1) if a request fails."
    },
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:failed, or a request failed"},
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath replay --trace conversation_trace.jsonl.gz --target http://localhost:8080",
      "  warmpath replay --trace trace.jsonl --limit 600 --speed 2 --report replay.html \\",
      "      --target http://localhost:8080"
    })
final class ReplayCommand implements Callable<Integer> {

  private static final long PROGRESS_NANOS = 250_000_000L;

  @Option(names = "--trace", paramLabel = "FILE", required = true, description = "Trace to replay.")
  private Path trace;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "mooncake, azure or qwen; recognised by the first line if not given.")
  private String format;

  @Option(
      names = "--target",
      paramLabel = "URL",
      required = true,
      description = "Base URL of a balancer or of any OpenAI-compatible server.")
  private URI target;

  @Option(names = "--speed", defaultValue = "1", description = "Times faster than recorded.")
  private double speed;

  @Option(names = "--limit", paramLabel = "N", description = "Only the first N requests.")
  private Integer limit;

  @Option(names = "--model", defaultValue = "warmpath-demo", description = "Model to ask for.")
  private String model;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Most time for a whole answer.")
  private int timeoutSeconds;

  @Option(
      names = "--max-in-flight",
      paramLabel = "N",
      defaultValue = "4096",
      description = "Requests that may be open at once; further ones fail unsent.")
  private int maxInFlight;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures there.")
  private Path json;

  @Option(names = "--report", paramLabel = "FILE", description = "Writes a page with charts there.")
  private Path page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    JsonFile.requireWritable(json);
    JsonFile.requireWritable("--report", page);
    ReplayOptions options =
        new ReplayOptions(target, model, speed, Duration.ofSeconds(timeoutSeconds), maxInFlight);
    Trace requests = read();
    Screen screen = Screen.of(spec);
    String what =
        "%d requests of %s at %sx to %s"
            .formatted(requests.size(), requests.name(), number(speed), target);
    screen.line("Replaying " + what);
    ReplayReport report = new Replay(requests, options).run(progress(screen, requests.size()));
    print(report, screen);
    if (json != null) {
      JsonFile.write(json, report);
    }
    if (page != null) {
      ReplayPage.of(report, "warmpath replay: " + what).write(page);
    }
    return report.failed() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Trace read() throws IOException {
    Trace whole =
        format == null
            ? TraceReader.read(trace)
            : TraceReader.read(trace, TraceFormat.parse(format));
    if (limit == null) {
      return whole;
    }
    if (limit < 1) {
      throw new IllegalArgumentException("--limit must be at least 1");
    }
    return whole.first(limit);
  }

  private static Consumer<ReplayResults> progress(Screen screen, int total) {
    AtomicLong shownNanos = new AtomicLong(System.nanoTime());
    Remaining remaining = Remaining.from(System.nanoTime());
    return results -> {
      long now = System.nanoTime();
      long last = shownNanos.get();
      if (now - last >= PROGRESS_NANOS && shownNanos.compareAndSet(last, now)) {
        screen.progress(
            "%d of %d sent, %d ended%s"
                .formatted(
                    results.sent(),
                    total,
                    results.ended(),
                    remaining.text(results.ended(), total, now)));
      }
    };
  }

  private static void print(ReplayReport report, Screen screen) {
    screen.line("requests   %d".formatted(report.requests()));
    screen.line("ok         %d".formatted(report.ok()));
    screen.line("failed     %d".formatted(report.failed()));
    screen.line("RPS        %.2f over %.1f s".formatted(report.rps(), report.seconds()));
    screen.line(
        "TTFT       p50 %s  p95 %s  p99 %s   (from when a request was due)"
            .formatted(
                millis(report.ttftP50Us()),
                millis(report.ttftP95Us()),
                millis(report.ttftP99Us())));
    screen.line(
        "hit rate   %s"
            .formatted(
                report.tokenHitRate() == null
                    ? "unknown: the server does not report cached tokens"
                    : "%.1f %% of %d prompt tokens"
                        .formatted(100 * report.tokenHitRate(), report.promptTokens())));
    screen.line("client     at worst %s late".formatted(millis(report.worstSendDelayUs())));
    report.requestsByReplica().forEach((name, n) -> screen.line("  %-20s %d".formatted(name, n)));
    report.errors().forEach((reason, n) -> screen.line("  failed: %d × %s".formatted(n, reason)));
  }

  private static String millis(Long micros) {
    return micros == null ? "–" : String.format(Locale.ROOT, "%.1f ms", micros / 1000.0);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
