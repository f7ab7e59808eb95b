package io.warmpath.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A program that has run.
 *
 * @param exitCode its exit code; -1 if it was not done in time
 * @param output what it wrote, to both streams
 */
public record ProgramRun(int exitCode, String output) {

  private static final Duration SHORT = Duration.ofSeconds(30);

  /**
   * Runs a program in a folder and waits for its end.
   *
   * @throws IOException if there is no such program
   */
  public static ProgramRun of(Path folder, Duration patience, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("warmpath-run", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        return new ProgramRun(-1, "not done after " + patience.toSeconds() + " s");
      }
      return new ProgramRun(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      Files.delete(output);
    }
  }

  /** Whether a program is installed, asked by a command that does nothing. */
  public static boolean works(String... command) throws InterruptedException {
    try {
      return of(Path.of("."), SHORT, command).exitCode() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
