package io.warmpath.lab.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * A command that was run in this process.
 *
 * @param exitCode its exit code
 * @param output what it wrote, errors too
 */
public record CommandRun(int exitCode, String output) {

  /** Runs {@code warmpath} with arguments. */
  public static CommandRun of(List<String> args) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    int exitCode =
        WarmpathCommand.commandLine()
            .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
            .setOut(out)
            .setErr(out)
            .execute(args.toArray(String[]::new));
    return new CommandRun(exitCode, text.toString());
  }
}
