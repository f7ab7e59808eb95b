package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.screen.Table;
import io.warmpath.lab.simulate.PolicyGrid;
import io.warmpath.lab.simulate.PolicyGrid.Cell;
import io.warmpath.lab.simulate.Slowdown;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Judges {@code adaptive} on a trace. */
@Command(
    name = "policy-grid",
    description = {
      "Plays a trace through fleets of several sizes and caches, in virtual time, and compares"
          + " adaptive with the best of ten other policies in each.",
      "Ratios below 1 in the mean are better; the table of docs/policies.md is made so."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = "  warmpath policy-grid --trace conversation_trace.jsonl.gz --slow 3=0.5@600s")
final class PolicyGridCommand implements Callable<Integer> {

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      required = true,
      description = "Trace to play, plain or gzipped.")
  private Path trace;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      split = ",",
      defaultValue = "4,8",
      description = "Sizes of the fleet, separated by commas.")
  private List<Integer> replicas;

  @Option(
      names = "--capacity",
      paramLabel = "BLOCKS",
      split = ",",
      defaultValue = "0,1000,3000,5859,20000",
      description = "Blocks of the trace that each cache holds; 0 = unbounded.")
  private List<Integer> capacities;

  @Option(
      names = "--slow",
      paramLabel = "I=FACTOR[@TIME]",
      description = "Plays every fleet again with replica I (from 0) at that speed from then on.")
  private List<Slowdown> slowdowns = List.of();

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures there.")
  private Path json;

  @Spec private CommandSpec spec;

  private record Report(String trace, List<Cell> cells) {}

  @Override
  public Integer call() throws IOException {
    JsonFile.requireWritable(json);
    Trace read = TraceReader.read(trace);
    PolicyGrid grid = new PolicyGrid(replicas, capacities, slowdowns);
    Screen screen = Screen.of(spec);
    Progress progress = new Progress(screen, grid.runs(), "runs");
    List<Cell> cells = grid.play(read, progress);
    Table table =
        new Table()
            .row(
                List.of(
                    "replicas",
                    "blocks",
                    "slow",
                    "best reference",
                    "mean, ms",
                    "adaptive, ms",
                    "ratio",
                    "warmest reference",
                    "hits ratio"));
    cells.forEach(cell -> table.row(row(cell)));
    table.lines().forEach(screen::line);
    if (json != null) {
      JsonFile.write(json, new Report(read.name(), cells));
    }
    return ExitCode.OK;
  }

  private static List<String> row(Cell cell) {
    return List.of(
        String.valueOf(cell.replicas()),
        cell.capacityBlocks() == 0 ? "unbounded" : String.valueOf(cell.capacityBlocks()),
        cell.slow() ? "yes" : "no",
        cell.best(),
        SimulationTables.format("%.1f", cell.bestMeanMicros() / 1_000),
        SimulationTables.format("%.1f", cell.candidateMeanMicros() / 1_000),
        SimulationTables.format("%.3f", cell.meanRatio()),
        cell.warmest(),
        SimulationTables.format("%.3f", cell.hitRatio()));
  }
}
