package io.warmpath.lab.cli;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.BalancerServer;
import io.warmpath.balancer.ConfigFile;
import io.warmpath.balancer.LoadedConfig;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.stack.Parts;
import java.nio.file.Path;
import java.security.Security;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a balancer. */
@Command(
    name = "balancer",
    description = "Runs the OpenAI-compatible proxy in front of the replicas.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath balancer --config deploy/compose/balancer.yaml",
      "  warmpath balancer --config deploy/compose/balancer.yaml --check",
      "  warmpath balancer --config balancer.yaml --name $(hostname)"
    })
final class BalancerCommand implements Runnable {

  private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

  @Option(names = "--config", paramLabel = "FILE", required = true, description = "YAML file.")
  private Path file;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name in place of the file's, for several balancers with one file.")
  private String name;

  @Option(
      names = "--check",
      description = "Only reads the file: prints what holds then, or what is wrong in it.")
  private boolean check;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    LoadedConfig loaded = ConfigFile.read(file);
    if (check) {
      Screen.of(spec).line("# " + file + " is valid. This holds:");
      spec.commandLine().getOut().print(loaded.effective().toYaml());
      spec.commandLine().getOut().flush();
      return;
    }
    BalancerConfig config =
        name == null ? loaded.config() : loaded.config().withName(requireName(name));
    // By default the JVM keeps addresses for 30 s, which replicas in DNS come and go sooner than.
    Security.setProperty("networkaddress.cache.ttl", "1");
    Security.setProperty("networkaddress.cache.negative.ttl", "1");
    if (System.getProperty(LEAK_DETECTION) == null) {
      // By default Netty follows one buffer in a hundred with a stack trace, on the hot path.
      System.setProperty(LEAK_DETECTION, "disabled");
    }
    try (Parts parts = new Parts()) {
      BalancerServer balancer = parts.add(BalancerServer.start(config));
      balancer.follow(file, loaded);
      Screen screen = Screen.of(spec);
      screen.line("balancer at http://" + config.host() + ":" + balancer.port() + "/v1");
      screen.line(
          "  admin and metrics at http://" + config.adminHost() + ":" + balancer.adminPort());
      parts.awaitEnd();
    }
  }

  private static String requireName(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("--name must not be blank");
    }
    return name;
  }
}
