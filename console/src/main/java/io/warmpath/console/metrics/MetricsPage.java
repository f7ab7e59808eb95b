package io.warmpath.console.metrics;

import io.warmpath.console.metrics.MetricsText.Type;
import io.warmpath.console.source.ResultSource;
import io.warmpath.console.state.ConsoleState;
import io.warmpath.console.state.RecordCounts;
import io.warmpath.schemas.topic.Topics;

/** What Prometheus scrapes: the newest results of each model, and how the console itself is. */
public final class MetricsPage {

  public static final String CONTENT_TYPE = MetricsText.CONTENT_TYPE;

  private static final String RECORDS = "warmpath_console_records_total";
  private static final String INVALID = "warmpath_console_invalid_records_total";
  private static final String REFUSED = "warmpath_console_refused_records_total";
  private static final String READING = "warmpath_console_reading";
  private static final String STREAMS = "warmpath_console_open_pages";

  private MetricsPage() {}

  /**
   * The page.
   *
   * @param state what is known
   * @param status how its source is
   * @param openPages event streams open
   * @param nowMs epoch milliseconds
   */
  public static String render(
      ConsoleState state, ResultSource.Status status, int openPages, long nowMs) {
    MetricsText text = new MetricsText();
    new ResultMetrics(text, nowMs).write(state.fresh(nowMs));
    RecordCounts counts = state.counts();
    text.family(RECORDS, Type.COUNTER, "Records read from the result topics.");
    text.sample(RECORDS, counts.stats(), "topic", Topics.ROUTING_STATS);
    text.sample(RECORDS, counts.weights(), "topic", Topics.ROUTING_WEIGHTS);
    text.family(INVALID, Type.COUNTER, "Records of the result topics that could not be read.");
    text.sample(INVALID, counts.invalid());
    text.family(REFUSED, Type.COUNTER, "Records beyond the bounds of what the console keeps.");
    text.sample(REFUSED, counts.refused());
    text.family(READING, Type.GAUGE, "1 while the result topics can be read, else 0.");
    text.sample(READING, status == ResultSource.Status.READING ? 1 : 0);
    text.family(STREAMS, Type.GAUGE, "Live pages that are open.");
    text.sample(STREAMS, openPages);
    return text.toString();
  }
}
