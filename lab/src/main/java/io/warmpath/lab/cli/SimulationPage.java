package io.warmpath.lab.cli;

import io.warmpath.lab.founding.Band;
import io.warmpath.lab.founding.FoundingReport;
import io.warmpath.lab.founding.PublishedFigures;
import io.warmpath.lab.report.BarChart;
import io.warmpath.lab.report.HtmlPage;
import io.warmpath.lab.report.LineChart;
import io.warmpath.lab.report.StackChart;
import io.warmpath.lab.simulate.SimulationReport;
import io.warmpath.lab.simulate.SimulationRun;
import java.util.List;
import java.util.stream.IntStream;

/** What {@code simulate} found, as a page that stands alone. */
final class SimulationPage {

  private static final double US_PER_MS = 1_000;

  private SimulationPage() {}

  /** Policies over one trace. */
  static HtmlPage of(SimulationReport report) {
    SimulationRun first = report.runs().get(0);
    HtmlPage page =
        new HtmlPage(
            "Policies on " + report.trace(),
            SimulationTables.format(
                "warmpath simulate, engine %s: %,d requests, %,d prompt tokens, %d replicas, %s a"
                    + " cache. Virtual time.",
                report.engine(),
                first.requests(),
                first.inputTokens(),
                first.replicas(),
                first.capacityBlocks() == 0
                    ? "no bound on"
                    : first.capacityBlocks() + " blocks in"));
    page.heading("Time to first token");
    page.chart("Time to first token by policy, ms", ttft(report));
    page.heading("Where the prompt tokens came from");
    page.chart("Share of all prompt tokens", tokens(report));
    page.heading("How the load was spread");
    page.chart("Requests by replica, as shares", replicas(report));
    page.heading("All figures");
    page.table(SimulationTables.runTable(report));
    return page;
  }

  private static BarChart ttft(SimulationReport report) {
    BarChart chart =
        new BarChart("Time to first token by policy", " ms", 1, List.of("p50", "p95", "p99"));
    for (SimulationRun run : report.runs()) {
      chart.group(
          run.policy(),
          List.of(
              BarChart.Value.of(run.ttftUs().p50() / US_PER_MS),
              BarChart.Value.of(run.ttftUs().p95() / US_PER_MS),
              BarChart.Value.of(run.ttftUs().p99() / US_PER_MS)));
    }
    return chart;
  }

  private static StackChart tokens(SimulationReport report) {
    StackChart chart =
        StackChart.of("Cached and computed prompt tokens", List.of("from cache", "computed"));
    report
        .runs()
        .forEach(
            run -> chart.row(run.policy(), run.hitTokens(), run.inputTokens() - run.hitTokens()));
    return chart;
  }

  private static StackChart replicas(SimulationReport report) {
    int replicas = report.runs().get(0).replicas();
    StackChart chart =
        StackChart.of(
            "Requests by replica",
            IntStream.range(0, replicas).mapToObj(i -> "replica " + i).toList());
    report
        .runs()
        .forEach(
            run ->
                chart.row(
                    run.policy(),
                    run.requestsByReplica().stream().mapToDouble(Long::doubleValue).toArray()));
    return chart;
  }

  /** The founding experiment over many seeds. */
  static HtmlPage of(FoundingReport report) {
    HtmlPage page =
        new HtmlPage(
            "The founding experiment over " + report.runs() + " seeds",
            SimulationTables.format(
                "warmpath simulate --workload founding, seeds %d to %d: %d replicas (%s), virtual"
                    + " time.",
                report.seed(),
                report.seed() + report.runs() - 1,
                report.replicas(),
                report.profile()));
    page.heading("Ratios to round_robin");
    page.chart(
        "Median over the seeds, and where 90 % of them lie. Published: "
            + SimulationTables.format(
                "p95 %.2f, requests a second %.2f, turns 2–10 %.2f",
                report.publishedP95Ratio(),
                report.publishedRpsRatio(),
                PublishedFigures.WARM_RATIO),
        ratios(report));
    page.heading("By turn");
    page.chart("Mean time to first token by turn, ms; dashed: as published", turns(report));
    page.heading("All figures");
    page.table(SimulationTables.ratios(report));
    page.table(SimulationTables.byTurn(report));
    return page;
  }

  private static BarChart ratios(FoundingReport report) {
    BarChart chart =
        new BarChart(
            "Ratios to round_robin by policy",
            "x",
            2,
            List.of(
                "round_robin’s TTFT p95 to it",
                "its requests a second",
                "round_robin’s turns 2–10 to it"));
    for (FoundingReport.PolicyReport policy : report.policies()) {
      chart.group(
          policy.policy(),
          List.of(
              value(policy.p95Ratio()), value(policy.rpsRatio()), value(policy.warmTtftRatio())));
    }
    return chart;
  }

  private static BarChart.Value value(Band band) {
    return new BarChart.Value(band.median(), band.low(), band.high());
  }

  private static LineChart turns(FoundingReport report) {
    LineChart chart = new LineChart("Mean time to first token by turn, ms", "turn");
    for (FoundingReport.PolicyReport policy : report.policies()) {
      chart.line(
          policy.policy(),
          policy.meanTtftUsByTurn().stream().map(mean -> mean / US_PER_MS).toList());
    }
    report
        .published()
        .forEach(one -> chart.reference("published " + one.policy(), one.meanTtftMsByTurn()));
    return chart;
  }
}
