package io.warmpath.console.metrics;

import java.util.List;

/**
 * A metric that the console exports.
 *
 * @param name name, with its unit where it has one and {@code _total} where it is a counter
 * @param type kind of metric
 * @param unit base unit of its values, or what they count
 * @param help what it says, one sentence or two
 * @param labels names of the labels that all its samples have
 */
public record MetricSpec(String name, Type type, String unit, String help, List<String> labels) {

  static final String TOTAL = "_total";

  /** Kinds of metrics that the console has. */
  public enum Type {
    GAUGE("gauge"),
    COUNTER("counter"),
    /** Quantiles; here without a sum and a count, which would have to count on across windows. */
    SUMMARY("summary");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    /** The word for it in Prometheus' formats. */
    public String word() {
      return word;
    }
  }

  public MetricSpec {
    if (name.endsWith(TOTAL) != (type == Type.COUNTER)) {
      throw new IllegalArgumentException(name + " is a " + type.word());
    }
    labels = List.copyOf(labels);
  }

  static MetricSpec gauge(String name, String unit, String help, String... labels) {
    return new MetricSpec(name, Type.GAUGE, unit, help, List.of(labels));
  }

  static MetricSpec counter(String name, String unit, String help, String... labels) {
    return new MetricSpec(name, Type.COUNTER, unit, help, List.of(labels));
  }

  static MetricSpec summary(String name, String unit, String help, String... labels) {
    return new MetricSpec(name, Type.SUMMARY, unit, help, List.of(labels));
  }
}
