package io.warmpath.lab.cli;

import io.warmpath.lab.stack.StackConfig;
import io.warmpath.lab.stack.StackPorts;
import io.warmpath.replica.engine.EngineProfile;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of a stack that stays up. */
final class StackOptions {

  @Option(names = "--replicas", paramLabel = "N", defaultValue = "4", description = "Replicas.")
  private int replicas;

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      defaultValue = "llama-3.1-8b-h100",
      description = "GPU, model and server that the replicas model.")
  private String profile;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "adaptive",
      description = "What the balancer routes by.")
  private String policy;

  @Option(
      names = "--time-scale",
      paramLabel = "S",
      defaultValue = "1",
      description = "Times faster than the model.")
  private double timeScale;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "1",
      description = "Parallelism of the statistics job.")
  private int parallelism;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keeps the topics there; without it they are gone when the stack ends.")
  private Path data;

  @Option(names = "--kafka-port", defaultValue = "9092", description = "0 takes a free one.")
  private int kafkaPort;

  @Option(names = "--port", defaultValue = "8080", description = "Port of the balancer.")
  private int port;

  @Option(names = "--admin-port", defaultValue = "8081", description = "Its admin and metrics.")
  private int adminPort;

  @Option(names = "--console-port", defaultValue = "8090", description = "Port of the console.")
  private int consolePort;

  @Option(
      names = "--replica-port",
      defaultValue = "9001",
      description = "Port of the first replica; the others follow it.")
  private int replicaPort;

  StackConfig config() {
    return new StackConfig(
        new StackPorts(kafkaPort, port, adminPort, consolePort, replicaPort),
        replicas,
        EngineProfile.load(profile),
        timeScale,
        policy,
        parallelism,
        Optional.ofNullable(data));
  }
}
