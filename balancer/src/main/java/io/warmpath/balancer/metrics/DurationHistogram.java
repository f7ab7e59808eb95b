package io.warmpath.balancer.metrics;

import io.prometheus.metrics.core.metrics.Histogram;
import java.util.List;

/**
 * A histogram of durations, with classic buckets and native ones: what a scraper gets is up to what
 * it asks for. Safe for concurrent use.
 */
final class DurationHistogram {

  /** Buckets of a native histogram are 2^(1/8) apart, 9 %. */
  private static final int NATIVE_SCHEMA = 3;

  /** Twenty octaves of such buckets; a wider spread makes each twice as wide. */
  private static final int MAX_NATIVE_BUCKETS = 160;

  private final List<String> labels;
  private final Histogram histogram;

  /**
   * @param name name in base units
   * @param bounds upper bounds of the classic buckets, seconds
   */
  DurationHistogram(String name, String help, double[] bounds, String... labels) {
    this.labels = List.of(labels);
    this.histogram =
        Histogram.builder()
            .name(name)
            .help(help)
            .labelNames(labels)
            .classicUpperBounds(bounds)
            .nativeInitialSchema(NATIVE_SCHEMA)
            .nativeMaxNumberOfBuckets(MAX_NATIVE_BUCKETS)
            .withoutExemplars()
            .build();
  }

  void observe(long micros, String... values) {
    histogram.labelValues(values).observe(micros / 1e6);
  }

  /** Drops the series of a replica of a model; for histograms by model, policy and replica. */
  void forget(String model, String replica) {
    histogram.removeIf(values -> values.get(0).equals(model) && values.get(2).equals(replica));
  }

  MetricFamily family() {
    return MetricFamily.of(histogram.collect(), labels);
  }
}
