package io.warmpath.balancer.metrics;

import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * A metric at one moment.
 *
 * @param name name, with {@code _total} where it is a counter
 * @param type {@code counter}, {@code gauge} or {@code histogram}
 * @param help what it says, one sentence
 * @param labels names that its samples' labels may have
 * @param samples its samples; none where it is a histogram
 * @param histogram its samples where it is a histogram, else null
 */
public record MetricFamily(
    String name,
    String type,
    String help,
    List<String> labels,
    List<Sample> samples,
    HistogramSnapshot histogram) {

  /**
   * A value.
   *
   * @param labels name, value, name, value, …
   */
  public record Sample(double value, List<String> labels) {}

  static MetricFamily of(String name, String type, String help, List<String> labels) {
    return new MetricFamily(name, type, help, labels, new ArrayList<>(), null);
  }

  static MetricFamily of(HistogramSnapshot histogram, List<String> labels) {
    return new MetricFamily(
        histogram.getMetadata().getName(),
        "histogram",
        histogram.getMetadata().getHelp(),
        labels,
        List.of(),
        histogram);
  }
}
