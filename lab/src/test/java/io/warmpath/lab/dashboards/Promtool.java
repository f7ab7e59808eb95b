package io.warmpath.lab.dashboards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Prometheus' own checker. */
final class Promtool {

  private static final Path PROGRAM = Path.of("/usr/bin/promtool");

  private Promtool() {}

  /** Fails with its output unless it is content. Skips the test where it is not installed. */
  static void assertPasses(String... arguments) throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "promtool is not installed");
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
    command.addAll(List.of(arguments));
    Process promtool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, promtool.waitFor(), output);
  }
}
