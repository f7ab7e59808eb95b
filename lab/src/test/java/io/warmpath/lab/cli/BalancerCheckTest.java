package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BalancerCheckTest {

  @TempDir private Path folder;

  @Test
  void printsWhatHolds() throws IOException {
    CommandRun run =
        check("models: [{name: m, replicas: [{name: r, url: 'http://127.0.0.1:1'}]}]\n");
    assertEquals(0, run.exitCode(), run.output());
    assertTrue(run.output().contains("\npolicy: adaptive\n"), run.output());
    assertTrue(run.output().contains("  first_token: 2m\n"), run.output());
  }

  @Test
  void namesFileLineAndFieldOfAFault() throws IOException {
    CommandRun run = check("policy: adaptive\nretries: many\n");
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(
        run.output().contains("b.yaml:2: retries must be a whole number: many"), run.output());
  }

  @Test
  void failsWhereThereIsNoFile() {
    CommandRun run = run(folder.resolve("none.yaml"));
    assertEquals(1, run.exitCode(), run.output());
    assertTrue(run.output().contains("none.yaml"), run.output());
  }

  @Test
  void refusesABlankName() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("b.yaml"),
            "models: [{name: m, replicas: [{name: r, url: 'http://127.0.0.1:1'}]}]\n");
    CommandRun run = CommandRun.of(List.of("balancer", "--config", file.toString(), "--name", " "));
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains("--name must not be blank"), run.output());
  }

  private CommandRun check(String text) throws IOException {
    return run(Files.writeString(folder.resolve("b.yaml"), text));
  }

  private static CommandRun run(Path file) {
    return CommandRun.of(List.of("balancer", "--config", file.toString(), "--check"));
  }
}
