package io.warmpath.lab.cli;

import io.warmpath.lab.demo.Demo;
import io.warmpath.lab.demo.DemoPage;
import io.warmpath.lab.demo.DemoReport;
import io.warmpath.lab.demo.DemoTables;
import io.warmpath.lab.founding.FoundingStudy;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.stack.StackConfig;
import io.warmpath.lab.stack.StackPorts;
import io.warmpath.lab.stack.WarmpathStack;
import io.warmpath.replica.engine.EngineProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays the founding experiment. */
@Command(
    name = "demo",
    description = {
      "Plays the founding experiment.",
      "The same conversations by round_robin, prefix_affinity and adaptive on four modelled"
          + " replicas, with real Kafka and Flink. Then one replica becomes half as fast, and its"
          + " routing weight follows. All figures come from the topics."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {"  warmpath demo", "  warmpath demo --seed 7 --json demo.json --report demo.html"})
final class DemoCommand implements Callable<Integer> {

  /** As fast as figures in model time stay true to the model on two cores. */
  private static final String TIME_SCALE = "5";

  private static final double MOST_TIME_SCALE = 5;

  @Option(names = "--seed", defaultValue = "1", description = "Seed of the workload.")
  private long seed;

  @Option(
      names = "--time-scale",
      paramLabel = "S",
      defaultValue = TIME_SCALE,
      description = "Times faster than the model, at most 5.")
  private double timeScale;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures there.")
  private Path json;

  @Option(names = "--report", paramLabel = "FILE", description = "Writes a page with charts there.")
  private Path page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (timeScale > MOST_TIME_SCALE) {
      throw new IllegalArgumentException("--time-scale must be at most 5");
    }
    JsonFile.requireWritable(json);
    JsonFile.requireWritable("--report", page);
    Screen screen = Screen.of(spec);
    screen.styled("@|bold The founding experiment|@, seed " + seed);
    screen.line(
        "%d replicas, %d workers, %d requests a policy; %.3gx faster than the model."
            .formatted(
                FoundingWorkload.REPLICAS,
                FoundingWorkload.WORKERS,
                FoundingWorkload.REQUESTS,
                timeScale));
    try (WarmpathStack stack =
        WarmpathStack.start(config(), part -> screen.line("Starting " + part + " …"))) {
      screen.line("Watch it live at " + stack.console() + "/");
      DemoReport report = Demo.play(stack, seed, new DemoTables(screen));
      if (json != null) {
        JsonFile.write(json, report);
        screen.line("All figures are in " + json + ".");
      }
      if (page != null) {
        DemoPage.of(report).write(page);
        screen.line("A page with charts is " + page + ".");
      }
    }
    return ExitCode.OK;
  }

  private StackConfig config() {
    return new StackConfig(
        StackPorts.FREE,
        FoundingWorkload.REPLICAS,
        EngineProfile.load(FoundingStudy.PROFILE),
        timeScale,
        Demo.POLICIES.get(0),
        1,
        Optional.empty());
  }
}
