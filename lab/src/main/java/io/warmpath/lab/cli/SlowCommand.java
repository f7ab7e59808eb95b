package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.stack.FleetAdmin;
import java.net.URI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the speed of a running replica. */
@Command(
    name = "slow",
    description = "Changes the speed of a running replica.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath slow replica-3 0.5       half as fast",
      "  warmpath slow replica-3 1         as fast as before"
    })
final class SlowCommand implements Runnable {

  @Parameters(index = "0", paramLabel = "REPLICA", description = "Its name.")
  private String replica;

  @Parameters(index = "1", paramLabel = "FACTOR", description = "Speed; 1 is normal, 0.5 is half.")
  private double factor;

  @Option(
      names = "--admin",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8081",
      description = "Admin address of the balancer.")
  private URI admin;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException("FACTOR must be greater than 0");
    }
    new FleetAdmin(admin).setSpeed(replica, factor);
    Screen.of(spec).line(replica + " runs at " + factor + " times its normal speed now");
  }
}
