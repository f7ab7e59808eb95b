package io.warmpath.lab.cli;

import io.warmpath.lab.replay.ReplayReport;
import io.warmpath.lab.report.BarChart;
import io.warmpath.lab.report.HtmlPage;
import io.warmpath.lab.report.StackChart;
import io.warmpath.lab.screen.Table;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code replay} measured, as a page that stands alone. */
final class ReplayPage {

  private static final double US_PER_MS = 1_000;

  private ReplayPage() {}

  /**
   * The page of a report.
   *
   * @param what the trace, its speed and the server
   */
  static HtmlPage of(ReplayReport report, String what) {
    HtmlPage page = new HtmlPage("Replay", what);
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("requests", text("%,d", report.requests()));
    figures.put("failed", text("%,d", report.failed()));
    figures.put("answered a second", text("%.2f", report.rps()));
    figures.put(
        "token hit rate",
        report.tokenHitRate() == null ? "unknown" : text("%.1f %%", 100 * report.tokenHitRate()));
    page.figures(figures);
    page.heading("Time to first token");
    page.text(
        text(
            "From when a request was due, so that a slow server cannot hide behind a waiting"
                + " client. The client itself was at worst %.1f ms late.",
            report.worstSendDelayUs() / US_PER_MS));
    page.chart("Of answered requests, ms", ttft(report));
    if (report.promptTokens() > 0) {
      page.heading("Where the prompt tokens came from");
      page.chart("Of answers that say how many tokens were cached", tokens(report));
    }
    if (!report.requestsByReplica().isEmpty()) {
      page.heading("Who answered");
      page.chart("Answers by replica", replicas(report));
    }
    if (!report.errors().isEmpty()) {
      page.heading("What failed");
      Table errors = new Table().row(List.of("reason", "requests"));
      report.errors().forEach((reason, n) -> errors.row(List.of(reason, text("%,d", n))));
      page.table(errors);
    }
    return page;
  }

  private static BarChart ttft(ReplayReport report) {
    BarChart chart = new BarChart("Time to first token", " ms", 1, List.of("TTFT"));
    chart.group("p50", Arrays.asList(value(report.ttftP50Us())));
    chart.group("p95", Arrays.asList(value(report.ttftP95Us())));
    chart.group("p99", Arrays.asList(value(report.ttftP99Us())));
    return chart;
  }

  private static BarChart.Value value(Long micros) {
    return new BarChart.Value(micros == null ? null : micros / US_PER_MS, null, null);
  }

  private static StackChart tokens(ReplayReport report) {
    return StackChart.of("Cached and computed prompt tokens", List.of("from cache", "computed"))
        .row("prompt tokens", report.cachedTokens(), report.promptTokens() - report.cachedTokens());
  }

  private static BarChart replicas(ReplayReport report) {
    BarChart chart = new BarChart("Answers by replica", "", 0, List.of("answers"));
    report
        .requestsByReplica()
        .forEach((name, n) -> chart.group(name, List.of(BarChart.Value.of(n))));
    return chart;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
