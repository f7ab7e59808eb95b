package io.warmpath.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Horizontal bars of shares that add up to one; parts that are wide enough carry their percentage.
 */
public final class StackChart implements Chart {

  private static final double WIDTH = 720;
  private static final double LABELS = 150;
  private static final double BAR = 26;
  private static final double BETWEEN = 12;
  private static final double AXIS = 22;
  private static final double WIDE_ENOUGH = 0.07;

  private final String label;
  private final List<Key> series;
  private final List<Row> rows = new ArrayList<>();

  private record Row(String name, double[] parts) {}

  /**
   * An empty chart, with the page's colours in their order.
   *
   * @param label what it shows
   * @param series names of the parts
   */
  public static StackChart of(String label, List<String> series) {
    return new StackChart(label, Key.inOrder(series));
  }

  /**
   * An empty chart.
   *
   * @param label what it shows
   * @param series the parts
   */
  public StackChart(String label, List<Key> series) {
    this.label = label;
    this.series = List.copyOf(series);
  }

  /** Adds a bar of amounts, one for each part. */
  public StackChart row(String name, double... parts) {
    if (parts.length != series.size()) {
      throw new IllegalArgumentException(name + " has not a part for each of " + series);
    }
    rows.add(new Row(name, parts.clone()));
    return this;
  }

  @Override
  public List<Key> legend() {
    return IntStream.range(0, series.size())
        .filter(i -> rows.stream().anyMatch(row -> row.parts()[i] > 0))
        .mapToObj(series::get)
        .toList();
  }

  @Override
  public String svg() {
    double bottom = rows.size() * (BAR + BETWEEN);
    Drawing drawing = new Drawing(WIDTH, bottom + AXIS, label);
    double whole = WIDTH - LABELS - 20;
    for (int percent = 0; percent <= 100; percent += 25) {
      double x = LABELS + whole * percent / 100;
      drawing.line("grid", x, 0, x, bottom);
      drawing.text("axis", "middle", x, bottom + 15, percent + " %");
    }
    for (int i = 0; i < rows.size(); i++) {
      draw(drawing, rows.get(i), i * (BAR + BETWEEN) + BETWEEN / 2, whole);
    }
    return drawing.svg();
  }

  private void draw(Drawing drawing, Row row, double top, double whole) {
    drawing.text("name", "end", LABELS - 10, top + BAR / 2 + 4, row.name());
    double sum = Arrays.stream(row.parts()).sum();
    double x = LABELS;
    for (int i = 0; i < row.parts().length; i++) {
      double share = sum == 0 ? 0 : row.parts()[i] / sum;
      if (share > 0) {
        String text = String.format(Locale.ROOT, "%.1f %%", 100 * share);
        drawing.bar(
            "f" + series.get(i).colour(),
            x,
            top,
            whole * share,
            BAR,
            row.name() + ", " + series.get(i).name() + ": " + text);
        if (share >= WIDE_ENOUGH) {
          drawing.text("inside", "middle", x + whole * share / 2, top + BAR / 2 + 4, text);
        }
        x += whole * share;
      }
    }
  }
}
