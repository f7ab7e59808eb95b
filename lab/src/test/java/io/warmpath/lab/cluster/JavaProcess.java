package io.warmpath.lab.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that can be killed without a word. Its output goes to a file. */
public final class JavaProcess implements AutoCloseable {

  private static final int SHOWN_LINES = 40;

  private static final String LOG_SETTINGS =
      """
      <Configuration status="WARN">
        <Appenders>
          <Console name="out"><PatternLayout pattern="%d{HH:mm:ss.SSS} %-5level %logger{1}: %message%n%throwable"/></Console>
        </Appenders>
        <Loggers><Root level="WARN"><AppenderRef ref="out"/></Root></Loggers>
      </Configuration>
      """;

  private static final List<String> OPENED =
      List.of(
          "--add-opens", "java.base/java.util=ALL-UNNAMED",
          "--add-opens", "java.base/java.lang=ALL-UNNAMED");

  private final Process process;
  private final Path log;

  private JavaProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param name name of its file of output
   * @param folder where that file is; what is there already stays
   * @param heapMiB its largest heap
   * @param command main class and arguments
   */
  static JavaProcess start(
      String name, Path folder, int heapMiB, String classPath, List<String> command) {
    return start(name, folder, List.of("-Xmx" + heapMiB + "m"), Map.of(), classPath, command);
  }

  /**
   * Starts one.
   *
   * @param name name of its file of output
   * @param folder where that file is; what is there already stays
   * @param options options of the JVM
   * @param environment variables beside those of this process
   * @param command main class and arguments
   */
  public static JavaProcess start(
      String name,
      Path folder,
      List<String> options,
      Map<String, String> environment,
      String classPath,
      List<String> command) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(OPENED);
    line.addAll(options);
    line.add("-Dlog4j2.configurationFile=" + logSettings(folder));
    line.addAll(List.of("-cp", classPath));
    line.addAll(command);
    Path log = folder.resolve(name + ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .directory(new File(folder.toString()));
      builder.environment().putAll(environment);
      Process process = builder.start();
      // Not even a test that is stopped by hand leaves it behind.
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new JavaProcess(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  private static Path logSettings(Path folder) {
    Path file = folder.resolve("log4j2.xml");
    try {
      return Files.writeString(file, LOG_SETTINGS);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** Kills it as {@code kill -9} does, and waits until it is gone. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while killing " + log.getFileName(), e);
    }
  }

  /** Asks it to end, as Ctrl-C does, and waits until it has. */
  void interrupt(Duration patience) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError(log.getFileName() + " does not end:\n" + output());
    }
  }

  /**
   * Returns if it still runs.
   *
   * @throws AssertionError if not, with the end of its output
   */
  public void requireAlive() {
    if (!process.isAlive()) {
      throw new AssertionError(
          log.getFileName() + " ended with " + process.exitValue() + ":\n" + output());
    }
  }

  /** Its exit code, if it has ended. */
  public OptionalInt exitCode() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** The last lines of its output. */
  String output() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    } catch (IOException e) {
      return "no output can be read: " + e.getMessage();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
