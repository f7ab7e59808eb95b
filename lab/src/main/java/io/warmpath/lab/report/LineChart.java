package io.warmpath.lab.report;

import java.util.ArrayList;
import java.util.List;

/** Lines over 1, 2, 3 and so on. */
public final class LineChart implements Chart {

  private static final double WIDTH = 720;
  private static final double HEIGHT = 260;
  private static final double LEFT = 60;
  private static final double RIGHT = 20;
  private static final double TOP = 12;
  private static final double BOTTOM = 42;

  private final String label;
  private final String across;
  private final List<Line> lines = new ArrayList<>();

  private record Line(String name, List<Double> values, boolean dashed) {}

  /**
   * An empty chart.
   *
   * @param label what it shows, with the unit
   * @param across what 1, 2, 3 are
   */
  public LineChart(String label, String across) {
    this.label = label;
    this.across = across;
  }

  /** Adds a line. */
  public LineChart line(String name, List<Double> values) {
    lines.add(new Line(name, List.copyOf(values), false));
    return this;
  }

  /** Adds a line that the others are to be compared with. */
  public LineChart reference(String name, List<Double> values) {
    lines.add(new Line(name, List.copyOf(values), true));
    return this;
  }

  @Override
  public List<Key> legend() {
    return Key.inOrder(lines.stream().map(Line::name).toList());
  }

  @Override
  public String svg() {
    Drawing drawing = new Drawing(WIDTH, HEIGHT, label);
    int points = lines.stream().mapToInt(line -> line.values().size()).max().orElse(1);
    double largest =
        lines.stream().flatMap(line -> line.values().stream()).mapToDouble(v -> v).max().orElse(0);
    Ticks ticks = Ticks.upTo(largest);
    for (double tick : ticks.values()) {
      double y = y(tick, ticks);
      drawing.line("grid", LEFT, y, WIDTH - RIGHT, y);
      drawing.text("axis", "end", LEFT - 8, y + 4, ticks.text(tick));
    }
    for (int i = 0; i < points; i++) {
      drawing.text("axis", "middle", x(i, points), HEIGHT - BOTTOM + 18, Integer.toString(i + 1));
    }
    drawing.text("axis", "middle", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, across);
    for (int i = 0; i < lines.size(); i++) {
      draw(drawing, lines.get(i), i % COLOURS, points, ticks);
    }
    return drawing.svg();
  }

  private static void draw(Drawing drawing, Line line, int colour, int points, Ticks ticks) {
    double[] way = new double[2 * line.values().size()];
    for (int i = 0; i < line.values().size(); i++) {
      way[2 * i] = x(i, points);
      way[2 * i + 1] = y(line.values().get(i), ticks);
    }
    drawing.path("line l" + colour + (line.dashed() ? " dashed" : ""), way);
    for (int i = 0; i < line.values().size(); i++) {
      drawing.dot(
          "f" + colour,
          way[2 * i],
          way[2 * i + 1],
          line.name() + ", " + (i + 1) + ": " + ticks.text(line.values().get(i)));
    }
  }

  private static double x(int i, int points) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / points;
  }

  private static double y(double value, Ticks ticks) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / ticks.last());
  }
}
