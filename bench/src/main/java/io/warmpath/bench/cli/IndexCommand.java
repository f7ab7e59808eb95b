package io.warmpath.bench.cli;

import io.warmpath.bench.index.IndexReplay;
import io.warmpath.bench.index.IndexReplay.Figures;
import io.warmpath.lab.cli.JsonOutput;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.screen.Table;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the prefix index on a trace. */
@Command(
    name = "index",
    description = {
      "Replays a trace against the prefix index in one thread: a look-up of each prompt, then the"
          + " cache events of the replica that took it.",
      "A look-up counts as one operation for each block of the prompt, a block stored or removed"
          + " as one."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath bench index --trace conversation_trace.jsonl.gz",
      "  warmpath bench index --trace conversation_trace.jsonl.gz --block-tokens 16"
          + " --capacity 100000"
    })
final class IndexCommand implements Callable<Integer> {

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      required = true,
      description = "Trace to replay, plain or gzipped, with ids of blocks.")
  private Path trace;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "8",
      description = "Replicas that serve it.")
  private int replicas;

  @Option(
      names = "--capacity",
      paramLabel = "BLOCKS",
      defaultValue = "3000",
      description = "Blocks that each holds; 0 = unbounded.")
  private int capacity;

  @Option(
      names = "--block-tokens",
      paramLabel = "N",
      description = "Tokens of a block, a divisor of the trace's own, which is the default.")
  private Integer blockTokens;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "Time measured for each use, after as much to warm up.")
  private int seconds;

  @Mixin private JsonOutput json;

  @Spec private CommandSpec spec;

  private record Report(
      String trace, int replicas, int capacityBlocks, int blockTokens, List<Figures> uses) {}

  @Override
  public Integer call() throws IOException {
    if (replicas < 1 || capacity < 0 || seconds < 1) {
      throw new IllegalArgumentException(
          "--replicas and --seconds must be at least 1, --capacity at least 0");
    }
    json.requireWritable();
    Trace read = TraceReader.read(trace);
    int tokens = blockTokens == null ? read.blockTokens() : blockTokens;
    List<Figures> uses = new IndexReplay(read, replicas, capacity, tokens).measure(seconds);
    Table table = new Table().row(List.of("use", "operations", "passes", "median ms", "million/s"));
    for (Figures use : uses) {
      table.row(
          List.of(
              use.use(),
              format("%,d", use.operations()),
              Integer.toString(use.passes()),
              format("%.1f", 1e3 * use.medianSeconds()),
              format("%.1f", use.operationsPerSecond() / 1e6)));
    }
    Screen screen = Screen.of(spec);
    table.lines().forEach(screen::line);
    json.write(new Report(read.name(), replicas, capacity, tokens, uses));
    return ExitCode.OK;
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
