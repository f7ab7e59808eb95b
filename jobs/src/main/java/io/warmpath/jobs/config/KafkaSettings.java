package io.warmpath.jobs.config;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * How a job reaches Kafka.
 *
 * @param bootstrapServers brokers to begin with
 * @param groupId consumer group that offsets are committed under
 * @param properties further properties of consumers, producers and the admin client
 */
public record KafkaSettings(String bootstrapServers, String groupId, Map<String, String> properties)
    implements Serializable {

  public KafkaSettings {
    properties = Collections.unmodifiableMap(new TreeMap<>(properties));
  }

  /** The options that make these settings. */
  public static List<Option> options(String defaultGroup) {
    return List.of(
        new Option("bootstrap-servers", null, "Kafka brokers, host:port,…"),
        new Option("group-id", defaultGroup, "consumer group"));
  }

  /** Reads the settings. */
  public static KafkaSettings of(Options options) {
    return new KafkaSettings(
        options.text("bootstrap-servers"), options.text("group-id"), options.kafka());
  }

  /** The further properties in Kafka's form. */
  public Properties toProperties() {
    Properties all = new Properties();
    all.putAll(properties);
    return all;
  }
}
