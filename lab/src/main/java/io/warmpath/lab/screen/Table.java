package io.warmpath.lab.screen;

import java.util.ArrayList;
import java.util.List;

/** A table of text: the first column to the left, all others to the right. */
public final class Table {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; the first one is the head. */
  public Table row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  /** The lines of the table, without trailing spaces. */
  public List<String> lines() {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  /** Its rows, the head first. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** The same as a table in Markdown. */
  public List<String> markdown() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add("| " + String.join(" | ", row) + " |");
      if (lines.size() == 1) {
        lines.add("|---" + "|---:".repeat(row.size() - 1) + "|");
      }
    }
    return lines;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? "" : GAP);
      line.append(i == 0 ? cell + padding : padding + cell);
    }
    return line.toString().stripTrailing();
  }
}
