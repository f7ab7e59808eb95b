package io.warmpath.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Groups of horizontal bars, one group below the other; each value stands at the end of its bar.
 */
public final class BarChart implements Chart {

  private static final double WIDTH = 720;
  private static final double LABELS = 150;
  private static final double VALUES = 90;
  private static final double BAR = 14;
  private static final double GAP = 3;
  private static final double BETWEEN = 12;
  private static final double AXIS = 22;

  private final String label;
  private final String unit;
  private final int decimals;
  private final List<String> series;
  private final List<Group> groups = new ArrayList<>();

  /**
   * A bar's length.
   *
   * @param at its value; null leaves it out
   * @param low lower end of its interval, or null
   * @param high upper end, or null
   */
  public record Value(Double at, Double low, Double high) {

    /** Without an interval. */
    public static Value of(double at) {
      return new Value(at, null, null);
    }
  }

  private record Group(String name, List<Value> values) {}

  /**
   * An empty chart.
   *
   * @param label what it shows
   * @param unit stands behind each value
   * @param decimals of each value
   * @param series names of a group's bars
   */
  public BarChart(String label, String unit, int decimals, List<String> series) {
    this.label = label;
    this.unit = unit;
    this.decimals = decimals;
    this.series = List.copyOf(series);
  }

  /** Adds a group: a bar for each series. */
  public BarChart group(String name, List<Value> values) {
    if (values.size() != series.size()) {
      throw new IllegalArgumentException(name + " has not a value for each of " + series);
    }
    groups.add(new Group(name, List.copyOf(values)));
    return this;
  }

  @Override
  public List<Key> legend() {
    return series.size() > 1 ? Key.inOrder(series) : List.of();
  }

  @Override
  public String svg() {
    double groupHeight = series.size() * (BAR + GAP) + BETWEEN;
    double bottom = groups.size() * groupHeight;
    Drawing drawing = new Drawing(WIDTH, bottom + AXIS, label);
    Ticks ticks = Ticks.upTo(largest());
    double scale = (WIDTH - LABELS - VALUES) / ticks.last();
    for (double tick : ticks.values()) {
      double x = LABELS + tick * scale;
      drawing.line("grid", x, 0, x, bottom);
      drawing.text("axis", "middle", x, bottom + 15, ticks.text(tick));
    }
    for (int i = 0; i < groups.size(); i++) {
      draw(drawing, groups.get(i), i * groupHeight + BETWEEN / 2, scale);
    }
    return drawing.svg();
  }

  private void draw(Drawing drawing, Group group, double top, double scale) {
    double middle = top + series.size() * (BAR + GAP) / 2 + 3;
    drawing.text("name", "end", LABELS - 10, middle, group.name());
    for (int i = 0; i < series.size(); i++) {
      Value value = group.values().get(i);
      if (value.at() == null) {
        continue;
      }
      double y = top + i * (BAR + GAP);
      String style = "f" + i % COLOURS;
      String text = number(value.at()) + unit;
      drawing.bar(
          style,
          LABELS,
          y,
          value.at() * scale,
          BAR,
          group.name() + " " + series.get(i) + ": " + text);
      double end = LABELS + value.at() * scale;
      if (value.low() != null && value.high() != null) {
        double center = y + BAR / 2;
        double low = LABELS + value.low() * scale;
        double high = LABELS + value.high() * scale;
        drawing.path(
            "whisker",
            new double[] {
              low,
              center - 4,
              low,
              center + 4,
              low,
              center,
              high,
              center,
              high,
              center - 4,
              high,
              center + 4
            });
        end = Math.max(end, high);
        text += " (" + number(value.low()) + "–" + number(value.high()) + ")";
      }
      drawing.text("value", "start", end + 6, y + BAR - 3, text);
    }
  }

  private double largest() {
    double largest = 0;
    for (Group group : groups) {
      for (Value value : group.values()) {
        largest = Math.max(largest, value.at() == null ? 0 : value.at());
        largest = Math.max(largest, value.high() == null ? 0 : value.high());
      }
    }
    return largest;
  }

  private String number(double value) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
