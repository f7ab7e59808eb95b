package io.warmpath.lab.report;

import java.util.Locale;

/** Writes the elements of a picture. Lengths are in the picture's own units, a CSS pixel or so. */
final class Drawing {

  private final StringBuilder elements = new StringBuilder();
  private final double width;
  private final double height;
  private final String label;

  /**
   * @param label what the picture shows, for those who cannot see it
   */
  Drawing(double width, double height, String label) {
    this.width = width;
    this.height = height;
    this.label = label;
  }

  /** A filled rectangle that says its text when pointed at. */
  void bar(String style, double x, double y, double barWidth, double barHeight, String text) {
    add(
        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\""
            + " height=\"%.1f\"><title>%s</title></rect>",
        style, x, y, Math.max(barWidth, 0.5), barHeight, Markup.escape(text));
  }

  void line(String style, double x1, double y1, double x2, double y2) {
    add("<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", style, x1, y1, x2, y2);
  }

  /** A line through points: x and y in turn. */
  void path(String style, double[] points) {
    StringBuilder way = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      way.append(
          String.format(Locale.ROOT, "%s%.1f %.1f", i == 0 ? "M" : "L", points[i], points[i + 1]));
    }
    add("<path class=\"%s\" d=\"%s\"/>", style, way);
  }

  /** A dot that says its text when pointed at. */
  void dot(String style, double x, double y, String text) {
    add(
        "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s</title></circle>",
        style, x, y, Markup.escape(text));
  }

  /**
   * A text on its base line.
   *
   * @param anchor start, middle or end
   */
  void text(String style, String anchor, double x, double y, String text) {
    add(
        "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
        style, anchor, x, y, Markup.escape(text));
  }

  private void add(String format, Object... values) {
    elements.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  String svg() {
    return String.format(
        Locale.ROOT,
        "<svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" role=\"img\""
            + " aria-label=\"%s\">%n%s</svg>%n",
        width,
        height,
        Markup.escape(label),
        elements);
  }
}
