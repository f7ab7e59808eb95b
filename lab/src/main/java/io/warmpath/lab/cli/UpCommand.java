package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.stack.WarmpathStack;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the whole stack until it is stopped. */
@Command(
    name = "up",
    description = {
      "Runs the whole stack.",
      "Kafka, Flink with both jobs, modelled replicas, balancer and console in one process, until"
          + " Ctrl-C."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath up",
      "  warmpath up --replicas 8 --policy prefix_affinity --data ./warmpath-data",
      "  warmpath replay --trace trace.jsonl --target http://localhost:8080    in another terminal"
    })
final class UpCommand implements Runnable {

  @Mixin private StackOptions options;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Screen screen = Screen.of(spec);
    try (WarmpathStack stack =
        WarmpathStack.start(options.config(), part -> screen.line("Starting " + part + " …"))) {
      screen.line("");
      screen.styled("@|bold Warmpath is up|@, policy " + stack.config().policy());
      screen.line("  OpenAI-compatible API  " + stack.balancer() + "/v1");
      screen.line("  live page              " + stack.console() + "/");
      screen.line("  balancer's metrics     " + stack.admin() + "/metrics");
      screen.line("  windowed metrics       " + stack.console() + "/metrics");
      screen.line("  Kafka                  " + stack.bootstrapServers());
      stack.replicas().entrySet().stream()
          .sorted(java.util.Map.Entry.comparingByKey())
          .forEach(one -> screen.line("  %-21s  %s/v1".formatted(one.getKey(), one.getValue())));
      screen.line("Ctrl-C ends it.");
      stack.awaitEnd();
    }
  }
}
