package io.warmpath.balancer;

import io.warmpath.schemas.config.Field;
import io.warmpath.schemas.config.Section;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads the files that a configuration names; what is in them counts as part of it. Relative names
 * begin at the folder of the configuration.
 */
final class NamedFiles {

  private final Path folder;
  private final List<Path> files = new ArrayList<>();

  NamedFiles(Path folder) {
    this.folder = folder;
  }

  /** All files that were read. */
  List<Path> files() {
    return List.copyOf(files);
  }

  /**
   * The contents of the file that a field names; null where it names none.
   *
   * @throws IllegalArgumentException if it cannot be read; the message begins with the field's path
   */
  byte[] bytes(Section section, Field<Path> field) {
    Path named = section.get(field);
    if (named == null) {
      return null;
    }
    Path file = folder.resolve(named);
    files.add(file);
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(section.name(field) + " cannot be read: " + file, e);
    }
  }

  /**
   * What the text in that file means; null where the field names none.
   *
   * @param parser its complaints are passed on
   */
  <T> T parsed(Section section, Field<Path> field, Function<String, T> parser) {
    byte[] bytes = bytes(section, field);
    if (bytes == null) {
      return null;
    }
    try {
      return parser.apply(new String(bytes, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(section.name(field) + ": " + e.getMessage(), e);
    }
  }
}
