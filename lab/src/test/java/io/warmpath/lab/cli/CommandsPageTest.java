package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * docs/commands.md is made from the commands. With {@code -Dconfiguration.write=true} the test
 * writes the page in place of comparing it.
 */
class CommandsPageTest {

  private static final Path PAGE = Path.of("../docs/commands.md");

  private static final String HEAD =
      """
      # Commands

      Made from the commands themselves, see `CommandsPageTest`. `./warmpath COMMAND --help` shows the same in a terminal.
      Every command has `--help` and `--version` beside what is listed. `./warmpath test` and `./warmpath bench` belong to the
      launcher: see their own `--help`.

      """;

  @Test
  void thePageIsWhatTheCommandsSay() throws IOException {
    String page = page();
    if (Boolean.getBoolean("configuration.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page, Files.readString(PAGE));
  }

  private static String page() {
    CommandLine root = WarmpathCommand.commandLine();
    StringBuilder page = new StringBuilder(HEAD);
    page.append("| exit code | |\n|---|---|\n");
    root.getCommandSpec()
        .usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> row(page, List.of(code, meaning)));
    for (Map.Entry<String, CommandLine> one : root.getSubcommands().entrySet()) {
      describe(page, one.getValue().getCommandSpec());
    }
    return page.toString();
  }

  private static void describe(StringBuilder page, CommandSpec command) {
    page.append("\n## `").append(command.name()).append("`\n\n");
    for (String line : command.usageMessage().description()) {
      page.append(plain(line)).append('\n');
    }
    String failed = command.usageMessage().exitCodeList().get("1");
    if (!failed.startsWith("failed;")) {
      page.append("\nExit code 1: ").append(failed).append(".\n");
    }
    List<List<String>> rows = new ArrayList<>();
    command.positionalParameters().forEach(one -> rows.add(cells(one.paramLabel(), one)));
    for (OptionSpec option : command.options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        rows.add(cells(String.join(", ", option.names()) + label, option));
      }
    }
    if (!rows.isEmpty()) {
      page.append("\n| | default | |\n|---|---|---|\n");
      rows.forEach(row -> row(page, row));
    }
    page.append("\n```\n");
    for (String example : command.usageMessage().footer()) {
      page.append(plain(example).replaceFirst("^  ", "")).append('\n');
    }
    page.append("```\n");
  }

  private static List<String> cells(String name, ArgSpec arg) {
    String otherwise = arg.defaultValue();
    String meaning = plain(String.join(" ", arg.description()));
    if (arg.completionCandidates() != null) {
      meaning =
          meaning.replace(
              "${COMPLETION-CANDIDATES}", String.join(", ", arg.completionCandidates()));
    }
    String cell = arg.required() ? "must be given" : otherwise == null ? "" : "`" + otherwise + "`";
    return List.of("`" + name + "`", cell, meaning);
  }

  private static String plain(String markup) {
    return Ansi.OFF.string(markup.replace("%%", "%").replace("%n", "\n"));
  }

  private static void row(StringBuilder page, List<String> cells) {
    page.append("| ");
    page.append(String.join(" | ", cells.stream().map(cell -> cell.replace("|", "\\|")).toList()));
    page.append(" |\n");
  }
}
