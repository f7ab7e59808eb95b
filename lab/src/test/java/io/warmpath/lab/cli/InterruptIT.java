package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C on a command with everything running inside: it ends, and leaves nothing. */
@Timeout(400)
class InterruptIT {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "up --kafka-port 0 --port 0 --admin-port 0 --console-port 0 --replica-port 0 | Ctrl-C ends"
            + " it",
        "demo | Watch it live"
      })
  void leavesNothingBehind(String line, String running) throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path output = folder.resolve("output");
    Process process = start(line.strip(), temporary, output);
    try {
      Await.until(
          running,
          PATIENCE,
          () -> {
            requireAlive(process, output);
            return Files.readString(output).contains(running.strip());
          });
      assertTrue(list(temporary).size() > 0, "the topics are somewhere");

      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

      assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it does not end");
      assertEquals(130, process.exitValue(), Files.readString(output));
      assertEquals(List.of(), list(temporary));
      assertEquals(0, process.descendants().count());
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(String line, Path temporary, Path output) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-opens", "java.base/java.util=ALL-UNNAMED"));
    command.addAll(List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    command.addAll(List.of("-Xmx1g", "-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporary));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(WarmpathCommand.class.getName());
    command.addAll(List.of(line.split(" ")));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static void requireAlive(Process process, Path output) throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("it ended by itself: " + Files.readString(output));
    }
  }

  private static List<String> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
