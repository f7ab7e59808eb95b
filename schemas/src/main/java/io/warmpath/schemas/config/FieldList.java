package io.warmpath.schemas.config;

import java.util.ArrayList;
import java.util.List;

/** Fields in the order in which they were made. */
public final class FieldList {

  private final List<Field<?>> fields = new ArrayList<>();

  /** Makes a field as {@link Field#required} does. */
  public <T> Field<T> required(
      String path, FieldType<T> type, Field.Change change, String meaning) {
    return added(Field.required(path, type, change, meaning));
  }

  /** Makes a field as {@link Field#optional} does. */
  public <T> Field<T> optional(
      String path, FieldType<T> type, T otherwise, Field.Change change, String meaning) {
    return added(Field.optional(path, type, otherwise, change, meaning));
  }

  private <T> Field<T> added(Field<T> field) {
    fields.add(field);
    return field;
  }

  /** All that were made so far. */
  public List<Field<?>> fields() {
    return List.copyOf(fields);
  }
}
