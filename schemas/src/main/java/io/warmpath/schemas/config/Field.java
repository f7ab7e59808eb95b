package io.warmpath.schemas.config;

/**
 * A field of the configuration: reading, checking and the reference all go by it.
 *
 * @param path where it stands, {@code models[].name} for a field of each item of a list
 * @param type what values it takes
 * @param otherwise value where it is not given; null where it must be given or has none
 * @param presence whether it may be left out
 * @param change when a change of the file takes effect
 * @param meaning one line for the reference
 */
public record Field<T>(
    String path, FieldType<T> type, T otherwise, Presence presence, Change change, String meaning) {

  /** Whether a field may be left out. */
  public enum Presence {
    REQUIRED,
    OPTIONAL
  }

  /** When a change takes effect. */
  public enum Change {
    /** When the file is read again. */
    LIVE,
    /** When the program is started again. */
    RESTART
  }

  /** A field that must be given. */
  public static <T> Field<T> required(
      String path, FieldType<T> type, Change change, String meaning) {
    return new Field<>(path, type, null, Presence.REQUIRED, change, meaning);
  }

  /**
   * A field that may be left out.
   *
   * @param otherwise its value then; null for none
   */
  public static <T> Field<T> optional(
      String path, FieldType<T> type, T otherwise, Change change, String meaning) {
    return new Field<>(path, type, otherwise, Presence.OPTIONAL, change, meaning);
  }

  /** Its name within its section. */
  String key() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /**
   * Checks a value that was not read from a file.
   *
   * @throws IllegalArgumentException if it is out of bounds; the message begins with the path
   */
  public void check(T value) {
    check(path, value);
  }

  /**
   * The same for the field of one item of a list.
   *
   * @param at its full path, {@code models[0].name}
   */
  public void check(String at, T value) {
    if (value == null) {
      if (presence == Presence.REQUIRED) {
        throw new IllegalArgumentException(at + " is missing");
      }
      return;
    }
    try {
      type.check(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at + e.getMessage(), e);
    }
  }
}
