package io.warmpath.console.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects samples and writes them in Prometheus' text format, version 0.0.4: the samples of a
 * family together, under its help and type.
 */
final class MetricsText {

  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Kinds of metrics that the console has. */
  enum Type {
    GAUGE("gauge"),
    COUNTER("counter"),
    /** Quantiles; here without a sum and a count, which would have to count on across windows. */
    SUMMARY("summary");

    private final String word;

    Type(String word) {
      this.word = word;
    }
  }

  private record Family(StringBuilder head, StringBuilder samples) {}

  private final Map<String, Family> families = new LinkedHashMap<>();

  /** Declares a family. Without samples it is left out of the text. */
  void family(String name, Type type, String help) {
    StringBuilder text = new StringBuilder();
    text.append("# HELP ").append(name).append(' ');
    escape(text, help, false);
    text.append("\n# TYPE ").append(name).append(' ').append(type.word).append('\n');
    if (families.put(name, new Family(text, new StringBuilder())) != null) {
      throw new IllegalArgumentException(name + " is declared twice");
    }
  }

  /**
   * Adds a sample, unless the value is null: what is unknown has no series.
   *
   * @param name a declared family
   * @param value value, or null
   * @param labels names and values in turn
   */
  void sample(String name, Number value, String... labels) {
    if (value == null) {
      return;
    }
    StringBuilder text = families.get(name).samples();
    text.append(name);
    char separator = '{';
    for (int i = 0; i < labels.length; i += 2) {
      text.append(separator).append(labels[i]).append("=\"");
      escape(text, labels[i + 1], true);
      text.append('"');
      separator = ',';
    }
    if (labels.length > 0) {
      text.append('}');
    }
    text.append(' ').append(value).append('\n');
  }

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

  @Override
  public String toString() {
    StringBuilder all = new StringBuilder();
    for (Family family : families.values()) {
      if (!family.samples().isEmpty()) {
        all.append(family.head()).append(family.samples());
      }
    }
    return all.toString();
  }
}
