package io.warmpath.lab.cli;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** {@code --json}: where a command that works for long leaves its figures for machines. */
public final class JsonOutput {

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures there.")
  private Path file;

  /**
   * Looks before the work whether they can be written.
   *
   * @throws IllegalArgumentException if they cannot
   */
  public void requireWritable() {
    JsonFile.requireWritable(file);
  }

  /** Writes them, if somebody wants them. */
  public void write(Object figures) throws IOException {
    if (file != null) {
      JsonFile.write(file, figures);
    }
  }
}
