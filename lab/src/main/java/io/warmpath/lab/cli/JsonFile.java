package io.warmpath.lab.cli;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes results for machines: one JSON object, snake_case names. */
public final class JsonFile {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private JsonFile() {}

  /**
   * Looks before long work whether its results can be written; null is fine.
   *
   * @throws IllegalArgumentException if they cannot
   */
  public static void requireWritable(Path file) {
    requireWritable("--json", file);
  }

  /** The same for the file of another option. */
  static void requireWritable(String option, Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!writable) {
      throw new IllegalArgumentException(option + ": cannot write " + file);
    }
  }

  /** Writes a result, in place of what the file held. */
  public static void write(Path file, Object result) throws IOException {
    MAPPER.writeValue(file.toFile(), result);
  }
}
