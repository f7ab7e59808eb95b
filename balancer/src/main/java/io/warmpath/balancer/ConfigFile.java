package io.warmpath.balancer;

import io.warmpath.balancer.config.ConfigException;
import io.warmpath.balancer.config.Field;
import io.warmpath.balancer.config.Section;
import io.warmpath.balancer.config.YamlText;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads a balancer's configuration from a YAML file. All but the models has a default. Durations
 * have a unit: {@code 500ms}, {@code 2s}, {@code 5m}.
 *
 * <pre>
 * listen: {host: 127.0.0.1, port: 8080}
 * admin: {host: 127.0.0.1, port: 8081}
 * policy: adaptive
 * models:
 *   - name: warmpath-demo
 *     tokenizer: quad
 *     block_tokens: 16
 *     replicas:
 *       - {name: replica-0, url: "http://127.0.0.1:9001"}
 * kafka: {bootstrap.servers: "127.0.0.1:9092"}
 * </pre>
 */
public final class ConfigFile {

  private ConfigFile() {}

  /**
   * Reads a file.
   *
   * @throws ConfigException if it is not a valid configuration; the message names file, line and
   *     field
   * @throws UncheckedIOException if it cannot be read
   */
  public static BalancerConfig load(Path file) {
    return read(file).config();
  }

  /** The same, with what holds field by field. */
  public static LoadedConfig read(Path file) {
    try {
      return read(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new UncheckedIOException(file + " does not exist", e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads the text of a file.
   *
   * @param source name of the file, for messages
   * @throws ConfigException if it is not a valid configuration; the message names file, line and
   *     field
   */
  public static LoadedConfig read(String source, String text) {
    YamlText yaml = YamlText.parse(source, text);
    try {
      return new LoadedConfig(read(yaml.root()), yaml.effective());
    } catch (IllegalArgumentException e) {
      throw yaml.located(e);
    }
  }

  private static BalancerConfig read(Section root) {
    BalancerConfig.Builder config = BalancerConfig.builder();
    config.name(root.get(ConfigFields.NAME));
    Section listen = root.section("listen");
    config.listen(listen.get(ConfigFields.LISTEN_HOST), listen.get(ConfigFields.LISTEN_PORT));
    listen.end();
    Section admin = root.section("admin");
    config.admin(admin.get(ConfigFields.ADMIN_HOST), admin.get(ConfigFields.ADMIN_PORT));
    admin.end();
    readPolicies(root, config);
    root.list("models").forEach(model -> config.model(model(model)));
    config.unknownModel(root.get(ConfigFields.UNKNOWN_MODEL));
    config.kafka(root.properties("kafka", Field.Change.RESTART));
    config.startTimeout(root.get(ConfigFields.START_TIMEOUT));
    config.cacheReplay(root.get(ConfigFields.CACHE_REPLAY));
    config.events(events(root.section("events")));
    config.limits(limits(root.section("limits")));
    config.timeouts(timeouts(root.section("timeouts")));
    config.connections(connections(root.section("connections")));
    config.health(health(root.section("health")));
    config.maxRetries(root.get(ConfigFields.RETRIES));
    config.timeScale(root.get(ConfigFields.TIME_SCALE));
    config.eventLoops(root.get(ConfigFields.EVENT_LOOPS));
    root.end();
    return config.build();
  }

  private static void readPolicies(Section root, BalancerConfig.Builder config) {
    List<Section> arms = root.list("arms");
    if (arms.isEmpty()) {
      config.policy(root.get(ConfigFields.POLICY));
    } else if (root.has(ConfigFields.POLICY.path())) {
      throw new IllegalArgumentException("policy and arms exclude each other");
    } else {
      config.arms(arms.stream().map(ConfigFile::arm).toList());
    }
  }

  private static Arm arm(Section section) {
    Arm arm = new Arm(section.get(ConfigFields.ARM_POLICY), section.get(ConfigFields.ARM_SHARE));
    section.end();
    return arm;
  }

  private static ModelConfig model(Section section) {
    boolean listed = section.isList("replicas") || !section.has("replicas");
    ModelConfig model =
        new ModelConfig(
            section.get(ConfigFields.MODEL_NAME),
            section.get(ConfigFields.MODEL_TOKENIZER),
            section.get(ConfigFields.MODEL_BLOCK_TOKENS),
            listed
                ? section.list("replicas").stream().map(ConfigFile::replica).toList()
                : List.of(),
            listed ? null : dns(section.section("replicas")));
    section.end();
    return model;
  }

  private static DnsReplicas dns(Section section) {
    DnsReplicas dns =
        new DnsReplicas(
            section.get(ConfigFields.REPLICAS_DNS),
            section.get(ConfigFields.REPLICAS_PORT),
            section.get(ConfigFields.REPLICAS_REFRESH));
    section.end();
    return dns;
  }

  private static ReplicaAddress replica(Section section) {
    ReplicaAddress replica =
        new ReplicaAddress(
            section.get(ConfigFields.REPLICA_NAME), section.get(ConfigFields.REPLICA_URL));
    section.end();
    return replica;
  }

  private static EventSettings events(Section section) {
    EventSettings settings =
        new EventSettings(
            section.get(ConfigFields.EVENTS_BUFFER),
            section.get(ConfigFields.EVENTS_FLUSH_TIMEOUT),
            section.get(ConfigFields.EVENTS_SAMPLE_RATE));
    section.end();
    return settings;
  }

  private static Limits limits(Section section) {
    Limits limits =
        new Limits(
            section.get(ConfigFields.LIMITS_BODY_BYTES),
            section.get(ConfigFields.LIMITS_HEADER_BYTES));
    section.end();
    return limits;
  }

  private static Timeouts timeouts(Section section) {
    Timeouts timeouts =
        new Timeouts(
            section.get(ConfigFields.TIMEOUTS_FIRST_TOKEN),
            section.get(ConfigFields.TIMEOUTS_IDLE),
            section.get(ConfigFields.TIMEOUTS_TOTAL));
    section.end();
    return timeouts;
  }

  private static ConnectionSettings connections(Section section) {
    ConnectionSettings settings =
        new ConnectionSettings(
            section.get(ConfigFields.CONNECTIONS_CONNECT_TIMEOUT),
            section.get(ConfigFields.CONNECTIONS_MAX_IDLE),
            section.get(ConfigFields.CONNECTIONS_KEEP_IDLE));
    section.end();
    return settings;
  }

  private static HealthSettings health(Section section) {
    HealthSettings settings =
        new HealthSettings(
            section.get(ConfigFields.HEALTH_INTERVAL),
            section.get(ConfigFields.HEALTH_TIMEOUT),
            section.get(ConfigFields.HEALTH_FAILURES),
            section.get(ConfigFields.HEALTH_EJECTION));
    section.end();
    return settings;
  }
}
