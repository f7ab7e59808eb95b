package io.warmpath.lab.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of cells in columns: the first to the left, the others to the right. */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these headings. */
  public TextTable(String... headings) {
    row(headings);
  }

  /** Appends a row; it may have fewer cells than there are headings. */
  public void row(String... cells) {
    rows.add(List.of(cells));
  }

  /** The lines of the table, headings first, without trailing spaces. */
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

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      char[] padding = new char[widths[i] - row.get(i).length()];
      Arrays.fill(padding, ' ');
      line.append(i == 0 ? "" : GAP);
      line.append(i == 0 ? row.get(i) : new String(padding));
      line.append(i == 0 ? new String(padding) : row.get(i));
    }
    return line.toString().stripTrailing();
  }
}
