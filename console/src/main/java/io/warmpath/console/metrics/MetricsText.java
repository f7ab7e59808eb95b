package io.warmpath.console.metrics;

import io.warmpath.console.metrics.MetricSpec.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects samples and writes them, those of a metric together under its help and type. */
final class MetricsText {

  private final MetricsFormat format;
  private final Map<MetricSpec, StringBuilder> samples = new LinkedHashMap<>();

  /**
   * @param metrics all that samples may be of, in the order in which they are to be written
   */
  MetricsText(MetricsFormat format, List<MetricSpec> metrics) {
    this.format = format;
    metrics.forEach(metric -> samples.put(metric, new StringBuilder()));
  }

  /**
   * Adds a sample, unless the value is null: what is unknown has no series.
   *
   * @param metric the metric
   * @param value value, or null
   * @param labels values of the metric's labels, in their order
   */
  void sample(MetricSpec metric, Number value, String... labels) {
    if (labels.length != metric.labels().size()) {
      throw new IllegalArgumentException(metric.name() + " has the labels " + metric.labels());
    }
    if (value == null) {
      return;
    }
    StringBuilder text = samples.get(metric);
    text.append(metric.name());
    char separator = '{';
    for (int i = 0; i < labels.length; i++) {
      text.append(separator).append(metric.labels().get(i)).append("=\"");
      escape(text, labels[i], true);
      text.append('"');
      separator = ',';
    }
    if (labels.length > 0) {
      text.append('}');
    }
    text.append(' ').append(value).append('\n');
  }

  /** Help texts escape quotes in OpenMetrics only. */
  private static void escape(StringBuilder text, String value, boolean quotes) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '"' -> text.append(quotes ? "\\\"" : "\"");
        default -> text.append(c);
      }
    }
  }

  /** The page; metrics without samples are left out of it. */
  @Override
  public String toString() {
    StringBuilder all = new StringBuilder();
    samples.forEach(
        (metric, lines) -> {
          if (!lines.isEmpty()) {
            head(all, metric);
            all.append(lines);
          }
        });
    if (format == MetricsFormat.OPEN_METRICS) {
      all.append("# EOF\n");
    }
    return all.toString();
  }

  private void head(StringBuilder text, MetricSpec metric) {
    boolean open = format == MetricsFormat.OPEN_METRICS;
    String name = metric.name();
    if (open && metric.type() == Type.COUNTER) {
      // In OpenMetrics only the samples of a counter have the ending.
      name = name.substring(0, name.length() - MetricSpec.TOTAL.length());
    }
    text.append("# HELP ").append(name).append(' ');
    escape(text, metric.help(), open);
    text.append("\n# TYPE ").append(name).append(' ').append(metric.type().word()).append('\n');
  }
}
