package io.warmpath.lab.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands and options in a shell.",
      "It completes the words warmpath and ./warmpath alike."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(./warmpath completion bash)       in this shell",
      "  ./warmpath completion bash > /etc/bash_completion.d/warmpath",
      "  source <(./warmpath completion zsh)        after compinit"
    })
final class CompletionCommand implements Runnable {

  private static final String NAME = "warmpath";

  /** Shells that there is a script for. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine all = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.ZSH) {
      out.println("autoload -U +X bashcompinit && bashcompinit");
    }
    out.print(AutoComplete.bash(NAME, all));
    out.println("complete -F _complete_" + NAME + " -o default ./" + NAME);
    out.flush();
  }
}
