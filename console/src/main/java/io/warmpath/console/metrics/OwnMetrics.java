package io.warmpath.console.metrics;

import io.warmpath.console.source.ResultSource;
import io.warmpath.console.state.RecordCounts;
import io.warmpath.schemas.topic.Topics;
import java.util.List;

/** How the console itself is. */
final class OwnMetrics {

  static final MetricSpec RECORDS =
      MetricSpec.counter(
          "warmpath_console_records_total",
          "records",
          "Records read from the result topics.",
          "topic");
  static final MetricSpec INVALID =
      MetricSpec.counter(
          "warmpath_console_invalid_records_total",
          "records",
          "Records of the result topics that could not be read.");
  static final MetricSpec REFUSED =
      MetricSpec.counter(
          "warmpath_console_refused_records_total",
          "records",
          "Records beyond the bounds of what the console keeps.");
  static final MetricSpec READING =
      MetricSpec.gauge(
          "warmpath_console_reading", "0 or 1", "1 while the result topics can be read, else 0.");
  static final MetricSpec PAGES =
      MetricSpec.gauge("warmpath_console_open_pages", "pages", "Live pages that are open.");

  static final List<MetricSpec> ALL = List.of(RECORDS, INVALID, REFUSED, READING, PAGES);

  private OwnMetrics() {}

  static void write(
      MetricsText text, RecordCounts counts, ResultSource.Status status, int openPages) {
    text.sample(RECORDS, counts.stats(), Topics.ROUTING_STATS);
    text.sample(RECORDS, counts.weights(), Topics.ROUTING_WEIGHTS);
    text.sample(RECORDS, counts.shadow(), Topics.SHADOW_STATS);
    text.sample(RECORDS, counts.decisions(), Topics.WEIGHT_DECISIONS);
    text.sample(RECORDS, counts.deadLetters(), Topics.DEAD_LETTERS);
    text.sample(INVALID, counts.invalid());
    text.sample(REFUSED, counts.refused());
    text.sample(READING, status == ResultSource.Status.READING ? 1 : 0);
    text.sample(PAGES, openPages);
  }
}
