package io.warmpath.schemas.config;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What values a field takes. Complaints are {@link IllegalArgumentException}s whose message goes on
 * after the field's name: {@code " must be 1 to 9: 10"}.
 */
public interface FieldType<T> {

  /** The type in the reference. */
  String name();

  /** The bounds in the reference, empty for none. */
  String range();

  /** Reads a value that is there. */
  T read(JsonNode node);

  /** Checks a value, wherever it came from. */
  void check(T value);

  /** The value as it would stand in a file. */
  String text(T value);
}
