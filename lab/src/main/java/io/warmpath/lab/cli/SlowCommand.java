package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

  @Mixin private RunningReplica replica;

  @Parameters(index = "1", paramLabel = "FACTOR", description = "Speed; 1 is normal, 0.5 is half.")
  private double factor;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException("FACTOR must be greater than 0");
    }
    replica.fleet().setSpeed(replica.name(), factor);
    Screen.of(spec).line(replica.name() + " runs at " + factor + " times its normal speed now");
  }
}
