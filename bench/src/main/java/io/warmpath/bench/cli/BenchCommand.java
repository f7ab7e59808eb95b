package io.warmpath.bench.cli;

import io.warmpath.lab.cli.ExitCodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code warmpath bench}. Exit codes: 0 done, 1 failed, 2 used wrongly. */
@Command(
    name = "warmpath bench",
    description = "Measures Warmpath against what else could do its work, and in small.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {PipelineCommand.class, ProxyCommand.class, IndexCommand.class, JmhCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {"  warmpath bench pipeline --help", "  warmpath bench proxy --help"})
public final class BenchCommand implements Runnable {

  private static final int HELP_COLUMNS = 100;
  private static final Logger LOG = LoggerFactory.getLogger(BenchCommand.class);

  @Spec private CommandSpec spec;

  private BenchCommand() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine command =
        new CommandLine(new BenchCommand())
            .setUsageHelpWidth(HELP_COLUMNS)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(BenchCommand::fail);
    ExitCodes.describe(command);
    return command;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  private static int fail(Exception failure, CommandLine command, ParseResult parsed) {
    String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    command
        .getErr()
        .println(
            command
                .getColorScheme()
                .errorText(command.getCommandSpec().qualifiedName() + ": " + reason));
    LOG.info("the command failed", failure);
    return failure instanceof IllegalArgumentException
        ? CommandLine.ExitCode.USAGE
        : CommandLine.ExitCode.SOFTWARE;
  }
}
