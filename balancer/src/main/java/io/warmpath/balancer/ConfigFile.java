package io.warmpath.balancer;

import io.warmpath.balancer.config.ConfigException;
import io.warmpath.balancer.config.Section;
import io.warmpath.balancer.config.YamlText;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.proxy.UnknownModel;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

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

  private static final int MAX_PORT = 65_535;

  private ConfigFile() {}

  /**
   * Reads a file.
   *
   * @throws ConfigException if it is not a valid configuration; the message names file, line and
   *     option
   * @throws UncheckedIOException if it cannot be read
   */
  public static BalancerConfig load(Path file) {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads the text of a file.
   *
   * @param source name of the file, for messages
   * @throws ConfigException if it is not a valid configuration; the message names file, line and
   *     option
   */
  public static BalancerConfig parse(String source, String text) {
    YamlText yaml = YamlText.parse(source, text);
    try {
      return read(yaml.root());
    } catch (IllegalArgumentException e) {
      throw yaml.located(e);
    }
  }

  private static BalancerConfig read(Section root) {
    BalancerConfig.Builder config = BalancerConfig.builder();
    config.name(root.text("name", "balancer-0"));
    Section listen = root.section("listen");
    config.listen(listen.text("host", BalancerConfig.LOOPBACK), port(listen, BalancerConfig.PORT));
    listen.end();
    Section admin = root.section("admin");
    config.admin(
        admin.text("host", BalancerConfig.LOOPBACK), port(admin, BalancerConfig.ADMIN_PORT));
    admin.end();
    root.list("models").forEach(model -> config.model(model(model)));
    config.unknownModel(unknownModel(root));
    readPolicies(root, config);
    config.kafka(root.properties("kafka"));
    config.startTimeout(root.duration("start_timeout", "5s"));
    config.cacheReplay(root.duration("cache_replay", "30m"));
    config.events(events(root.section("events")));
    config.limits(limits(root.section("limits")));
    config.timeouts(timeouts(root.section("timeouts")));
    config.connections(connections(root.section("connections")));
    config.health(health(root.section("health")));
    config.ejection(ejection(root.section("ejection")));
    config.retryBudget(retryBudget(root.section("retry_budget")));
    config.maxRetries(root.integer("retries", 2, 0, 10));
    config.timeScale(root.number("time_scale", 1));
    config.eventLoops(root.integer("event_loops", 0, 0, 1024));
    root.end();
    return config.build();
  }

  private static int port(Section section, int otherwise) {
    return section.integer("port", otherwise, 0, MAX_PORT);
  }

  private static ModelConfig model(Section section) {
    ModelConfig model =
        new ModelConfig(
            section.text("name"),
            section.parsed("tokenizer", "quad", TokenizerKind::parse),
            section.integer("block_tokens", ModelConfig.DEFAULT_BLOCK_TOKENS, 1, Integer.MAX_VALUE),
            section.list("replicas").stream().map(ConfigFile::replica).toList());
    section.end();
    return model;
  }

  private static ReplicaAddress replica(Section section) {
    ReplicaAddress replica =
        new ReplicaAddress(section.text("name"), section.parsed("url", null, URI::create));
    section.end();
    return replica;
  }

  private static UnknownModel unknownModel(Section root) {
    return root.parsed(
        "unknown_model",
        "refuse",
        name -> {
          try {
            return UnknownModel.valueOf(name.toUpperCase(Locale.ROOT));
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be refuse or first: " + name, e);
          }
        });
  }

  private static void readPolicies(Section root, BalancerConfig.Builder config) {
    List<Section> arms = root.list("arms");
    String policy = root.text("policy", arms.isEmpty() ? "adaptive" : "");
    if (!arms.isEmpty() && !policy.isEmpty()) {
      throw new IllegalArgumentException("policy and arms exclude each other");
    }
    if (arms.isEmpty()) {
      config.policy(policy);
      return;
    }
    config.arms(arms.stream().map(ConfigFile::arm).toList());
  }

  private static Arm arm(Section section) {
    Arm arm = new Arm(section.text("policy"), section.number("share", 1));
    section.end();
    return arm;
  }

  private static EventSettings events(Section section) {
    EventSettings otherwise = EventSettings.DEFAULTS;
    EventSettings settings =
        new EventSettings(
            section.integer("buffer", otherwise.buffer(), 1, 10_000_000),
            section.duration("flush_timeout", "5s"),
            section.number("sample_rate", otherwise.sampleRate()));
    section.end();
    return settings;
  }

  private static Limits limits(Section section) {
    Limits otherwise = Limits.DEFAULTS;
    Limits limits =
        new Limits(
            section.integer("body_bytes", otherwise.maxBodyBytes(), 1, Integer.MAX_VALUE),
            section.integer("header_bytes", otherwise.maxHeaderBytes(), 1, 1 << 20));
    section.end();
    return limits;
  }

  private static Timeouts timeouts(Section section) {
    Timeouts timeouts =
        new Timeouts(
            section.duration("first_token", "2m"),
            section.duration("idle", "1m"),
            section.duration("total", "30m"));
    section.end();
    return timeouts;
  }

  private static ConnectionSettings connections(Section section) {
    ConnectionSettings settings =
        new ConnectionSettings(
            section.duration("connect_timeout", "1s"),
            section.integer("max_idle", ConnectionSettings.DEFAULTS.maxIdle(), 0, 1 << 20),
            section.duration("keep_idle", "4s"));
    section.end();
    return settings;
  }

  private static HealthSettings health(Section section) {
    HealthSettings settings =
        new HealthSettings(
            section.duration("interval", "2s"),
            section.duration("timeout", "2s"),
            section.integer("failures", HealthSettings.DEFAULTS.failures(), 1, 1000),
            section.duration("ejection", "3s"));
    section.end();
    return settings;
  }

  private static EjectionSettings ejection(Section section) {
    EjectionSettings otherwise = EjectionSettings.DEFAULTS;
    EjectionSettings settings =
        new EjectionSettings(
            section.integer("failures", otherwise.failures(), 0, 100_000),
            section.number("failure_share", otherwise.failureShare()),
            section.integer("min_requests", otherwise.minRequests(), 1, 1_000_000),
            section.duration("window", "10s"),
            section.duration("max_time", "1m"),
            section.number("max_share", otherwise.maxShare()),
            section.duration("slow_start", "10s"));
    section.end();
    return settings;
  }

  private static RetryBudget.Settings retryBudget(Section section) {
    RetryBudget.Settings otherwise = RetryBudget.Settings.DEFAULTS;
    RetryBudget.Settings settings =
        new RetryBudget.Settings(
            section.number("share", otherwise.share()),
            section.integer("minimum", otherwise.minimum(), 0, 1_000_000),
            section.duration("window", "10s"));
    section.end();
    return settings;
  }
}
