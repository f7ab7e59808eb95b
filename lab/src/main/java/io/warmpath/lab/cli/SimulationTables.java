package io.warmpath.lab.cli;

import io.warmpath.lab.founding.Band;
import io.warmpath.lab.founding.FoundingReport;
import io.warmpath.lab.founding.FoundingReport.PolicyReport;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.lab.founding.PublishedFigures;
import io.warmpath.lab.screen.Table;
import io.warmpath.lab.simulate.SimulationReport;
import io.warmpath.lab.simulate.SimulationRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What {@code simulate} prints for people. */
final class SimulationTables {

  private SimulationTables() {}

  /** Name of an engine on the command line. */
  static String name(SimulateCommand.Engine engine) {
    return engine.name().toLowerCase(Locale.ROOT);
  }

  /** One row a policy. */
  static List<String> runs(SimulationReport report) {
    return runTable(report).lines();
  }

  /** The same as a table. */
  static Table runTable(SimulationReport report) {
    Table table =
        new Table()
            .row(
                List.of(
                    "policy", "hit rate", "TTFT mean, ms", "p50", "p95", "p99", "busiest / mean"));
    for (SimulationRun run : report.runs()) {
      long busiest = Collections.max(run.requestsByReplica());
      table.row(
          List.of(
              run.policy(),
              format("%.2f %%", 100 * run.tokenHitRate()),
              format("%.1f", run.ttftUs().mean() / 1000),
              millis(run.ttftUs().p50()),
              millis(run.ttftUs().p95()),
              millis(run.ttftUs().p99()),
              format("%.2f", (double) busiest * run.replicas() / run.requests())));
    }
    return table;
  }

  /** Ratios over all seeds beside the published ones, then means by turn. */
  static List<String> founding(FoundingReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(format("Over %d seeds: median and 5–95 %% range", report.runs()));
    lines.addAll(ratios(report).lines());
    lines.add("");
    lines.add("Mean TTFT by turn, ms (mean over all seeds)");
    lines.addAll(byTurn(report).lines());
    return lines;
  }

  /** Ratios over all seeds. */
  static Table ratios(FoundingReport report) {
    Table table = new Table();
    List<String> head = new ArrayList<>(List.of(""));
    report.policies().forEach(policy -> head.add(policy.policy()));
    head.add("published");
    table.row(head);
    row(
        table,
        report,
        "round_robin's TTFT p95 to it",
        PolicyReport::p95Ratio,
        format("%.2f", report.publishedP95Ratio()));
    row(
        table,
        report,
        "its requests a second to round_robin's",
        PolicyReport::rpsRatio,
        format("%.2f", report.publishedRpsRatio()));
    row(
        table,
        report,
        "round_robin's TTFT of turns 2–10 to it",
        PolicyReport::warmTtftRatio,
        format("%.2f", PublishedFigures.WARM_RATIO));
    return table;
  }

  private static void row(
      Table table,
      FoundingReport report,
      String label,
      Function<PolicyReport, Band> figure,
      String published) {
    List<String> cells = new ArrayList<>(List.of(label));
    for (PolicyReport policy : report.policies()) {
      Band band = figure.apply(policy);
      cells.add(format("%.2f (%.2f–%.2f)", band.median(), band.low(), band.high()));
    }
    cells.add(published);
    table.row(cells);
  }

  /** Means by turn. */
  static Table byTurn(FoundingReport report) {
    Table table = new Table();
    List<String> head = new ArrayList<>(List.of("turn"));
    IntStream.rangeClosed(1, FoundingWorkload.TURNS)
        .forEach(turn -> head.add(Integer.toString(turn)));
    table.row(head);
    for (PolicyReport policy : report.policies()) {
      table.row(turns(policy.policy(), policy.meanTtftUsByTurn(), 1000));
    }
    for (PublishedFigures published : report.published()) {
      table.row(turns("published " + published.policy(), published.meanTtftMsByTurn(), 1));
    }
    return table;
  }

  private static List<String> turns(String label, List<Double> means, double perMilli) {
    List<String> cells = new ArrayList<>(List.of(label));
    means.forEach(mean -> cells.add(format("%.0f", mean / perMilli)));
    return cells;
  }

  private static String millis(long micros) {
    return format("%.1f", micros / 1000.0);
  }

  static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
