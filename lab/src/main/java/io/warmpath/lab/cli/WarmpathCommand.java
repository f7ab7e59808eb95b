package io.warmpath.lab.cli;

import io.warmpath.lab.simulate.Slowdown;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The {@code warmpath} command. Exit codes: 0 done, 1 failed, 2 used wrongly; {@code deploy} has
 * more.
 *
 * <p>{@code warmpath test} and {@code warmpath bench} are not here: the launcher runs Maven for the
 * one and another program for the other.
 */
@Command(
    name = "warmpath",
    version = "warmpath 0.1.0",
    description = "Shows what LLM inference routing costs, and lets the router correct itself.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      SlowCommand.class,
      FaultCommand.class,
      ReplayCommand.class,
      SimulateCommand.class,
      PolicyGridCommand.class,
      CalibrateCommand.class,
      TopicsCommand.class,
      BalancerCommand.class,
      ReplicaCommand.class,
      ConsoleCommand.class,
      ExportCommand.class,
      JobCommand.class,
      DeployCommand.class,
      VerifyLogCommand.class,
      GpuCheckCommand.class,
      CompletionCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath demo                     round-robin against routing that learns",
      "  warmpath up                       the same stack, staying up",
      "  warmpath slow replica-3 0.5       slows a replica of a running stack by half",
      "  warmpath fault --help             makes a replica of a running stack misbehave",
      "  warmpath simulate --help          compares policies on a trace, in virtual time",
      "  warmpath policy-grid --help       adaptive against ten other policies on a trace",
      "  warmpath calibrate --help         measures an engine and fits a profile to it",
      "  warmpath deploy --help            brings a new version of a job onto a Flink cluster",
      "  warmpath COMMAND --help           options and examples of a command",
      "  warmpath test                     the whole test suite (by Maven)",
      "  warmpath test --faults            with those that kill Kafka's and Flink's processes",
      "  warmpath export --help            brings the weights to another router",
      "  warmpath bench --help             measures the stats job beside what else could do its"
          + " work",
      "",
      "Colours are for terminals only; NO_COLOR=1 does without.",
      "WARMPATH_LOG=INFO shows what brokers, jobs and servers log;",
      "WARMPATH_JAVA_OPTIONS replaces the JVM's options (-Xmx2g)."
    })
public final class WarmpathCommand implements Runnable {

  private static final int HELP_COLUMNS = 100;
  private static final Logger LOG = LoggerFactory.getLogger(WarmpathCommand.class);

  @Spec private CommandSpec spec;

  private WarmpathCommand() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine command =
        new CommandLine(new WarmpathCommand())
            .setUsageHelpWidth(HELP_COLUMNS)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(new Failures());
    ExitCodes.describe(command);
    // What follows the job's name is the job's own.
    command.getSubcommands().get("job").setStopAtPositional(true);
    return command.registerConverter(Slowdown.class, WarmpathCommand::slowdown);
  }

  private static Slowdown slowdown(String text) {
    try {
      return Slowdown.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  /** Says what went wrong in one line; the trace is for those who ask for logs. */
  private static final class Failures implements IExecutionExceptionHandler {

    @Override
    public int handleExecutionException(
        Exception failure, CommandLine commandLine, ParseResult parsed) {
      if (failure instanceof IllegalArgumentException wrong) {
        commandLine.getErr().println(line(commandLine, wrong));
        return CommandLine.ExitCode.USAGE;
      }
      commandLine.getErr().println(line(commandLine, failure));
      LOG.info("the command failed", failure);
      return CommandLine.ExitCode.SOFTWARE;
    }

    private static String line(CommandLine commandLine, Exception failure) {
      String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
      if (failure instanceof IOException && failure.getMessage() != null) {
        reason = failure.getClass().getSimpleName().replace("Exception", "") + ": " + reason;
      }
      return commandLine
          .getColorScheme()
          .errorText(commandLine.getCommandSpec().qualifiedName() + ": " + reason)
          .toString();
    }
  }
}
