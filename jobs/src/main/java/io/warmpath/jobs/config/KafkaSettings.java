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
 * @param groupId consumer group that offsets are committed under; begins the names of transactions
 * @param exactlyOnce whether results are written in transactions, seen once their checkpoint is
 *     there
 * @param outputSuffix ends the names of all topics that are written and of all that is a job's own:
 *     its group, its transactions, its sinks' uids; empty for none
 * @param properties further properties of consumers, producers and the admin client
 */
public record KafkaSettings(
    String bootstrapServers,
    String groupId,
    boolean exactlyOnce,
    String outputSuffix,
    Map<String, String> properties)
    implements Serializable {

  private static final String OUTPUT_SUFFIX = "output-suffix";

  private static final String AT_LEAST_ONCE = "at-least-once";
  private static final String EXACTLY_ONCE = "exactly-once";

  public KafkaSettings {
    properties = Collections.unmodifiableMap(new TreeMap<>(properties));
  }

  /** The same at least once. */
  public KafkaSettings(String bootstrapServers, String groupId, Map<String, String> properties) {
    this(bootstrapServers, groupId, false, "", properties);
  }

  /** The options that make these settings. */
  public static List<Option> options(String defaultGroup) {
    return List.of(
        new Option("bootstrap-servers", null, "Kafka brokers, host:port,…"),
        new Option("group-id", defaultGroup, "consumer group"),
        new Option("delivery", AT_LEAST_ONCE, "of results; or " + EXACTLY_ONCE),
        new Option(
            OUTPUT_SUFFIX, "", "ends the names of result topics, group and job, to try a version"));
  }

  /** Reads the settings. */
  public static KafkaSettings of(Options options) {
    String suffix = options.suffix(OUTPUT_SUFFIX);
    return new KafkaSettings(
        options.text("bootstrap-servers"),
        options.text("group-id") + suffix,
        options.oneOf("delivery", List.of(AT_LEAST_ONCE, EXACTLY_ONCE)).equals(EXACTLY_ONCE),
        suffix,
        options.kafka());
  }

  /** The topic that takes the results that belong on another. */
  public String output(String topic) {
    return topic + outputSuffix;
  }

  /**
   * The uid of a sink. One that writes elsewhere has another: what the state of the sink knows of
   * transactions is not its business.
   */
  public String sinkUid(String uid) {
    return uid + outputSuffix;
  }

  /** The further properties in Kafka's form. */
  public Properties toProperties() {
    Properties all = new Properties();
    all.putAll(properties);
    return all;
  }
}
