package io.warmpath.lab.cli;

import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** How a command reaches Kafka. */
final class KafkaOptions {

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT,…",
      required = true,
      description = "Kafka brokers to begin with.")
  private String bootstrapServers;

  @Option(
      names = "--kafka",
      paramLabel = "NAME=VALUE",
      description = "Any property of Kafka clients, such as security.protocol=SASL_SSL.")
  private Map<String, String> properties = Map.of();

  String bootstrapServers() {
    return bootstrapServers;
  }

  /** Properties for Kafka clients. */
  Map<String, Object> properties() {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }
}
