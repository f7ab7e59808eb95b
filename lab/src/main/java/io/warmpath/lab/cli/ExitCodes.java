package io.warmpath.lab.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What commands tell the shell; the same for all of them, and in the help of each. */
public final class ExitCodes {

  private ExitCodes() {}

  /**
   * Adds the exit codes to the help of a command and of all below it. What a command says of a code
   * itself stays.
   */
  public static void describe(CommandLine command) {
    UsageMessageSpec help = command.getCommandSpec().usageMessage();
    Map<String, String> codes = new LinkedHashMap<>();
    codes.put("0", "done");
    codes.put("1", "failed; the reason is on the error output");
    codes.put("2", "used wrongly: an option, or a file that an option names");
    codes.put("130", "ended by Ctrl-C (143 by SIGTERM), with all it had started");
    codes.putAll(help.exitCodeList());
    help.exitCodeListHeading("%nExit codes:%n").exitCodeList(codes);
    command.getSubcommands().values().forEach(ExitCodes::describe);
  }
}
