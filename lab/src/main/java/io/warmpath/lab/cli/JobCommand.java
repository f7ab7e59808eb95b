package io.warmpath.lab.cli;

import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.RoutingWeightsJob;
import io.warmpath.jobs.ShadowPolicyJob;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/** Runs one job in this process. */
@Command(
    name = "job",
    description = {
      "Runs one Flink job in this process.",
      "It runs on a Flink of its own until it is stopped. For production, submit the jar of the"
          + " jobs module to a Flink cluster instead."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath job stats --bootstrap-servers localhost:9092",
      "  warmpath job weights --bootstrap-servers localhost:9092",
      "  warmpath job shadow --bootstrap-servers localhost:9092 --capacity-blocks 8192",
      "  warmpath job stats --help         options of the job itself"
    })
final class JobCommand implements Callable<Integer> {

  private enum Job {
    STATS,
    WEIGHTS,
    SHADOW
  }

  @Parameters(index = "0", paramLabel = "stats|weights|shadow", description = "Which job.")
  private Job job;

  @Parameters(index = "1..*", paramLabel = "OPTION", description = "Options of the job itself.")
  private String[] options = {};

  @Override
  public Integer call() throws Exception {
    switch (job) {
      case STATS -> RoutingStatsJob.main(options);
      case WEIGHTS -> RoutingWeightsJob.main(options);
      case SHADOW -> ShadowPolicyJob.main(options);
    }
    return ExitCode.OK;
  }
}
