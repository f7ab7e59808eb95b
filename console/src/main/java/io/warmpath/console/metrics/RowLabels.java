package io.warmpath.console.metrics;

import io.warmpath.console.state.WindowRow;
import java.util.ArrayList;
import java.util.List;

/** The labels of a window's figures: model, policy, replica, more that a metric has, window. */
final class RowLabels {

  private static final String MODEL = "model";
  private static final String POLICY = "policy";
  private static final String REPLICA = "replica";
  private static final String WINDOW = "window";

  private final MetricsText text;
  private final String model;
  private final WindowRow row;
  private final String window;

  /** Of a row of a model. */
  RowLabels(MetricsText text, String model, WindowRow row) {
    this.text = text;
    this.model = model;
    this.row = row;
    this.window = WindowLabel.of(row.windowSizeMs());
  }

  /** The names, for a metric that may have one more. */
  static String[] with(String... more) {
    List<String> names = new ArrayList<>(List.of(MODEL, POLICY, REPLICA));
    names.addAll(List.of(more));
    names.add(WINDOW);
    return names.toArray(String[]::new);
  }

  String model() {
    return model;
  }

  String window() {
    return window;
  }

  void sample(MetricSpec metric, Number value) {
    text.sample(metric, value, model, row.policy(), row.replica(), window);
  }

  void sample(MetricSpec metric, Number value, String more) {
    text.sample(metric, value, model, row.policy(), row.replica(), more, window);
  }
}
