package io.warmpath.schemas.config;

import java.util.List;

/** The reference of a configuration as a table in Markdown. */
public final class FieldTable {

  /** First line of the table, by which it is found in a page. */
  public static final String HEADING = "| field | type | default | live | meaning |\n";

  private FieldTable() {}

  /** All lines but the first, one a field. */
  public static String rows(List<Field<?>> fields) {
    StringBuilder table = new StringBuilder("|---|---|---|---|---|\n");
    for (Field<?> field : fields) {
      table.append("| `").append(field.path()).append("` | ").append(type(field)).append(" | ");
      table.append(otherwise(field)).append(" | ");
      table.append(field.change() == Field.Change.LIVE ? "yes" : "").append(" | ");
      table.append(field.meaning().replace("|", "\\|")).append(" |\n");
    }
    return table.toString();
  }

  private static String type(Field<?> field) {
    String range = field.type().range();
    return range.isEmpty() ? field.type().name() : field.type().name() + ", " + range;
  }

  private static <T> String otherwise(Field<T> field) {
    if (field.presence() == Field.Presence.REQUIRED) {
      return "must be given";
    }
    return field.otherwise() == null ? "none" : "`" + field.type().text(field.otherwise()) + "`";
  }
}
