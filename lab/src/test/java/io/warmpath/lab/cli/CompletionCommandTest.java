package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {

  private static final Path BASH = Path.of("/bin/bash");

  @TempDir private Path folder;

  /** What bash offers for the last of these words. */
  private List<String> complete(String... words) throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.isExecutable(BASH), "bash is not installed");
    CommandRun script = CommandRun.of(List.of("completion", "bash"));
    assertEquals(0, script.exitCode(), script::output);
    Path file = Files.writeString(folder.resolve("completion.bash"), script.output());
    String ask =
        // Outside of a completion bash refuses compopt, which only says how to show what is
        // offered.
        "set -e; compopt() { :; }; source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_warmpath; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(file, String.join(" ", words), words.length - 1);
    Process bash =
        new ProcessBuilder(BASH.toString(), "--norc", "-c", ask).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor(), said);
    return said.lines().map(String::strip).toList();
  }

  @Test
  void bashCompletesCommands() throws Exception {
    assertEquals(List.of("simulate"), complete("./warmpath", "sim"));
    assertTrue(complete("warmpath", "ex").contains("export"));
  }

  @Test
  void bashCompletesOptionsAndTheirValues() throws Exception {
    assertTrue(complete("warmpath", "demo", "--re").contains("--report"));
    assertTrue(complete("warmpath", "export", "--format", "hap").contains("haproxy"));
  }

  @Test
  void thereIsOneForZshToo() {
    CommandRun script = CommandRun.of(List.of("completion", "zsh"));
    assertEquals(0, script.exitCode());
    assertTrue(script.output().startsWith("autoload -U +X bashcompinit"), script::output);
  }

  @Test
  void otherShellsAreWrongUse() {
    assertEquals(2, CommandRun.of(List.of("completion", "fish")).exitCode());
  }
}
