package io.warmpath.lab.cli;

import io.warmpath.lab.stack.FleetAdmin;
import java.net.URI;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A replica that runs somewhere, by its name and the balancer that knows it. */
final class RunningReplica {

  @Parameters(index = "0", paramLabel = "REPLICA", description = "Its name.")
  private String name;

  @Option(
      names = "--admin",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8081",
      description = "Admin address of the balancer.")
  private URI admin;

  String name() {
    return name;
  }

  /** Where to act on it. */
  FleetAdmin fleet() {
    return new FleetAdmin(admin);
  }
}
