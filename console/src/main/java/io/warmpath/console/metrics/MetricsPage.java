package io.warmpath.console.metrics;

import io.warmpath.console.source.ResultSource;
import io.warmpath.console.state.ConsoleState;
import io.warmpath.console.state.FreshResults;
import io.warmpath.console.state.HistoryDepth;
import io.warmpath.console.state.WindowRow;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.List;
import java.util.stream.Stream;

/** What Prometheus scrapes: the newest results of each model, and how the console itself is. */
public final class MetricsPage {

  /** Media type of the page where no format is asked for. */
  public static final String CONTENT_TYPE = MetricsFormat.PROMETHEUS.contentType();

  private MetricsPage() {}

  /** All metrics that the page may have, in its order. */
  public static List<MetricSpec> metrics() {
    return Stream.of(
            TrafficMetrics.ALL,
            QualityMetrics.ALL,
            WeightMetrics.ALL,
            LoopMetrics.ALL,
            DecisionMetrics.ALL,
            ShadowMetrics.ALL,
            DeadLetterMetrics.ALL,
            OwnMetrics.ALL)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * The page in Prometheus' text format.
   *
   * @param state what is known
   * @param status how its source is
   * @param openPages event streams open
   * @param nowMs epoch milliseconds
   */
  public static String render(
      ConsoleState state, ResultSource.Status status, int openPages, long nowMs) {
    return render(MetricsFormat.PROMETHEUS, state, status, openPages, nowMs);
  }

  /** The page in a format that a scraper asked for. */
  public static String render(
      MetricsFormat format,
      ConsoleState state,
      ResultSource.Status status,
      int openPages,
      long nowMs) {
    MetricsText text = new MetricsText(format, metrics());
    for (FreshResults model : state.fresh(nowMs)) {
      for (WindowRow row : model.rows()) {
        RowLabels series = new RowLabels(text, model.model(), row);
        TrafficMetrics.write(series, row);
        QualityMetrics.write(text, series, row, nowMs);
      }
      if (model.weights() != null) {
        WeightMetrics.write(text, model.weights(), nowMs);
      }
      writeNewest(text, model.decisions(), nowMs);
      model.shadow().forEach(window -> ShadowMetrics.write(text, window, nowMs));
    }
    state.view(nowMs, HistoryDepth.FULL).models().forEach(model -> LoopMetrics.write(text, model));
    DeadLetterMetrics.write(text, state::deadLetters);
    OwnMetrics.write(text, state.counts(), status, openPages);
    return text.toString();
  }

  private static void writeNewest(MetricsText text, List<WeightDecision> decisions, long nowMs) {
    if (!decisions.isEmpty()) {
      DecisionMetrics.write(text, decisions.get(decisions.size() - 1), nowMs);
    }
  }
}
