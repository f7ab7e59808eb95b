package io.warmpath.schemas.config;

import java.nio.file.Path;
import java.util.List;

/** A file that is no valid configuration; the message names file, line and option. */
public final class ConfigException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<Path> files;

  public ConfigException(String message, Throwable cause) {
    this(message, cause, List.of());
  }

  private ConfigException(String message, Throwable cause, List<Path> files) {
    super(message, cause);
    this.files = files;
  }

  /** The same failure of a text that names other files, as far as they were looked for. */
  public ConfigException naming(List<Path> others) {
    return new ConfigException(getMessage(), getCause(), List.copyOf(others));
  }

  /** Other files that the text names: a change in one of them may mend it. */
  public List<Path> files() {
    return files == null ? List.of() : files;
  }
}
