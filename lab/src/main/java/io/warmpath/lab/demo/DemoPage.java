package io.warmpath.lab.demo;

import io.warmpath.lab.founding.PublishedFigures;
import io.warmpath.lab.report.BarChart;
import io.warmpath.lab.report.Chart;
import io.warmpath.lab.report.HtmlPage;
import io.warmpath.lab.report.LineChart;
import io.warmpath.lab.report.StackChart;
import io.warmpath.schemas.stats.LostTokens;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A demo as a page that stands alone. */
public final class DemoPage {

  private static final double US_PER_MS = 1_000;

  private DemoPage() {}

  /** The page of a report. */
  public static HtmlPage of(DemoReport report) {
    HtmlPage page =
        new HtmlPage(
            "The founding experiment",
            text(
                "warmpath demo, seed %d: %d modelled replicas (%s), %.3g times faster than the"
                    + " model; took %.0f s. Times are the model's.",
                report.seed(),
                report.replicas(),
                report.profile(),
                report.timeScale(),
                report.seconds()));
    page.text(
        "The same conversations on cold caches, once by each policy. Requests per second hardly"
            + " tell the policies apart; times to first token do.");
    page.figures(headline(report));
    page.heading("What requests per second show, and what they hide");
    page.chart("Requests a second", rps(report.arms()));
    page.chart(
        "Time to first token, ms; with the 95 % interval of p95 where there is one",
        ttft(report.arms()));
    page.chart(
        "Mean time to first token by turn, ms. Turn 1 is cold for every policy; dashed: as"
            + " published",
        turns(report.arms()));
    page.heading("Where the prompt went");
    page.chart("Share of all prompt tokens", fates(report.arms()));
    page.table(DemoTables.fateTable(report.arms()));
    page.heading("By policy");
    page.table(DemoTables.policyTable(report.arms()));
    page.heading("A replica becomes slow");
    page.text(slowdown(report.slowdown()));
    page.heading("What should hold");
    page.checks(promises(report));
    return page;
  }

  private static Map<String, String> headline(DemoReport report) {
    Map<String, String> figures = new LinkedHashMap<>();
    for (ArmFigures arm : report.arms()) {
      if (arm.toRoundRobin() != null) {
        figures.put(
            "round_robin’s p95 to " + arm.policy(), text("%.2fx", arm.toRoundRobin().ttftP95()));
        figures.put(arm.policy() + "’s requests a second", text("%.2fx", arm.toRoundRobin().rps()));
      }
    }
    return figures;
  }

  private static BarChart rps(List<ArmFigures> arms) {
    BarChart chart =
        new BarChart("Requests a second by policy", "", 2, List.of("requests a second"));
    arms.forEach(arm -> chart.group(arm.policy(), List.of(BarChart.Value.of(arm.rps()))));
    return chart;
  }

  private static BarChart ttft(List<ArmFigures> arms) {
    BarChart chart =
        new BarChart("Time to first token by policy", " ms", 0, List.of("p50", "p95", "p99"));
    for (ArmFigures arm : arms) {
      ArmFigures.Ttft ttft = arm.ttft();
      chart.group(
          arm.policy(),
          List.of(
              BarChart.Value.of(ttft.p50Us() / US_PER_MS),
              new BarChart.Value(
                  ttft.p95Us() / US_PER_MS, millis(ttft.p95LowUs()), millis(ttft.p95HighUs())),
              BarChart.Value.of(ttft.p99Us() / US_PER_MS)));
    }
    return chart;
  }

  private static LineChart turns(List<ArmFigures> arms) {
    LineChart chart = new LineChart("Mean time to first token by turn, ms", "turn");
    for (ArmFigures arm : arms) {
      chart.line(
          arm.policy(), arm.meanTtftUsByTurn().stream().map(mean -> mean / US_PER_MS).toList());
    }
    for (PublishedFigures published :
        List.of(PublishedFigures.ROUND_ROBIN, PublishedFigures.PREFIX_AWARE)) {
      chart.reference("published " + published.policy(), published.meanTtftMsByTurn());
    }
    return chart;
  }

  /**
   * All but what the index did not predict, which is no part of a whole: see the table for that.
   */
  private static StackChart fates(List<ArmFigures> arms) {
    StackChart chart =
        new StackChart(
            "Where the prompt tokens went, by policy",
            List.of(
                new Chart.Key("delivered from cache", 2),
                new Chart.Key("predicted, not delivered", 3),
                new Chart.Key("lost to routing", 6),
                new Chart.Key("lost to load, justified", 4),
                new Chart.Key("lost to capacity", 0),
                new Chart.Key("never seen", 5)));
    for (ArmFigures arm : arms) {
      LostTokens lost = arm.lostTokens();
      chart.row(
          arm.policy(),
          arm.deliveredTokens(),
          lost.indexOver(),
          lost.routing(),
          lost.loadJustified(),
          lost.capacity(),
          lost.neverSeen());
    }
    return chart;
  }

  private static String slowdown(SlowdownFigures figures) {
    String fall =
        figures.secondsToFall() == null
            ? text("did not fall below %.1f", SlowdownFigures.FALLEN)
            : text("fell below %.1f after %.0f s", SlowdownFigures.FALLEN, figures.secondsToFall());
    String recovery =
        figures.secondsToRecover() == null
            ? text("did not recover above %.1f", SlowdownFigures.RECOVERED)
            : text(
                "recovered above %.1f %.0f s after the repair",
                SlowdownFigures.RECOVERED, figures.secondsToRecover());
    return text(
        "Under denser load by %s, %s ran at %.0f %% of its speed. Its weight was %.2f before, %s"
            + " (lowest %.2f) and %s (%.2f at the end). %d requests failed.",
        figures.policy(),
        figures.replica(),
        100 * figures.factor(),
        figures.weightBefore(),
        fall,
        figures.lowestWeight(),
        recovery,
        figures.weightAfter(),
        figures.failedRequests());
  }

  private static Map<String, Boolean> promises(DemoReport report) {
    Map<String, Boolean> promises = new LinkedHashMap<>();
    report.promises().forEach(one -> promises.put(one.claim() + ": " + one.found(), one.held()));
    return promises;
  }

  private static Double millis(Long micros) {
    return micros == null ? null : micros / US_PER_MS;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
