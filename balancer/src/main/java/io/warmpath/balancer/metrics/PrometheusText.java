package io.warmpath.balancer.metrics;

import java.util.Arrays;

/** Builds a page in Prometheus' text format. */
public final class PrometheusText {

  /** Media type of the page. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder(8192);

  /** Begins a metric; its samples follow. */
  public void metric(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  /**
   * Adds a sample.
   *
   * @param labels name, value, name, value, …
   */
  public void sample(String name, double value, String... labels) {
    text.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      escape(labels[i + 1]);
      text.append('"');
    }
    if (labels.length > 0) {
      text.append('}');
    }
    text.append(' ').append(number(value)).append('\n');
  }

  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  static String[] with(String[] labels, String name, String value) {
    String[] more = Arrays.copyOf(labels, labels.length + 2);
    more[labels.length] = name;
    more[labels.length + 1] = value;
    return more;
  }

  private void escape(String value) {
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

  @Override
  public String toString() {
    return text.toString();
  }
}
