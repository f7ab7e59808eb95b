package io.warmpath.balancer.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the metrics of one scrape; {@link #toString} is the page in Prometheus' text format, and
 * {@link PrometheusProtobuf} writes the same in the format that native histograms need.
 */
public final class PrometheusText {

  /** Media type of the page. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Map<String, MetricFamily> families = new LinkedHashMap<>();

  /**
   * Adds a metric; its samples follow.
   *
   * @param labels names of the labels that its samples have
   */
  public void metric(String name, String type, String help, String... labels) {
    families.putIfAbsent(name, MetricFamily.of(name, type, help, List.of(labels)));
  }

  /**
   * Adds a sample to a metric.
   *
   * @param labels name, value, name, value, …
   * @throws IllegalArgumentException if there is no such metric
   */
  public void sample(String name, double value, String... labels) {
    MetricFamily family = families.get(name);
    if (family == null) {
      throw new IllegalArgumentException("there is no metric " + name);
    }
    family.samples().add(new MetricFamily.Sample(value, List.of(labels)));
  }

  void histogram(DurationHistogram histogram) {
    MetricFamily family = histogram.family();
    families.put(family.name(), family);
  }

  /** The metrics so far. */
  public List<MetricFamily> families() {
    return List.copyOf(families.values());
  }

  static String[] with(String[] labels, String... others) {
    String[] more = Arrays.copyOf(labels, labels.length + others.length);
    System.arraycopy(others, 0, more, labels.length, others.length);
    return more;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(8192);
    for (MetricFamily family : families.values()) {
      String name = family.name();
      text.append("# HELP ").append(name).append(' ').append(family.help()).append('\n');
      text.append("# TYPE ").append(name).append(' ').append(family.type()).append('\n');
      for (MetricFamily.Sample sample : family.samples()) {
        line(text, name, sample.value(), sample.labels());
      }
      if (family.histogram() != null) {
        family.histogram().getDataPoints().forEach(point -> histogram(text, name, point));
      }
    }
    return text.toString();
  }

  private static void histogram(StringBuilder text, String name, HistogramDataPointSnapshot point) {
    List<String> labels = new ArrayList<>();
    for (Label label : point.getLabels()) {
      labels.add(label.getName());
      labels.add(label.getValue());
    }
    ClassicHistogramBuckets buckets = point.getClassicBuckets();
    long count = 0;
    for (int i = 0; i < buckets.size(); i++) {
      count += buckets.getCount(i);
      List<String> bucket = new ArrayList<>(labels);
      bucket.add("le");
      bucket.add(number(buckets.getUpperBound(i)));
      line(text, name + "_bucket", count, bucket);
    }
    line(text, name + "_sum", point.getSum(), labels);
    line(text, name + "_count", count, labels);
  }

  private static void line(StringBuilder text, String name, double value, List<String> labels) {
    text.append(name);
    for (int i = 0; i < labels.size(); i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels.get(i)).append("=\"");
      escape(text, labels.get(i + 1));
      text.append('"');
    }
    if (!labels.isEmpty()) {
      text.append('}');
    }
    text.append(' ').append(number(value)).append('\n');
  }

  private static String number(double value) {
    if (value == Double.POSITIVE_INFINITY) {
      return "+Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static void escape(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }
}
