package io.warmpath.balancer;

import io.netty.handler.ssl.SslContext;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.security.ApiKeys;
import io.warmpath.balancer.security.Secret;
import io.warmpath.balancer.security.Tls;
import io.warmpath.balancer.tokenize.TokenizeSettings;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.schemas.config.ConfigException;
import io.warmpath.schemas.config.Field;
import io.warmpath.schemas.config.Section;
import io.warmpath.schemas.config.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

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

  private static final int LEAST_TOKEN_LENGTH = 16;

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
      Path folder = file.toAbsolutePath().getParent();
      return read(file.toString(), folder, Files.readString(file));
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
   * @param folder where relative names of other files begin
   * @throws ConfigException if it is not a valid configuration; the message names file, line and
   *     field
   */
  public static LoadedConfig read(String source, Path folder, String text) {
    YamlText yaml = YamlText.parse(source, text);
    NamedFiles files = new NamedFiles(folder);
    try {
      return new LoadedConfig(read(yaml.root(), files), yaml.effective(), files.files());
    } catch (IllegalArgumentException e) {
      throw yaml.located(e).naming(files.files());
    }
  }

  private static BalancerConfig read(Section root, NamedFiles files) {
    BalancerConfig.Builder config = BalancerConfig.builder();
    config.name(root.get(ConfigFields.NAME));
    Section listen = root.section("listen");
    config.listen(listen.get(ClientFields.LISTEN_HOST), listen.get(ClientFields.LISTEN_PORT));
    if (listen.has("tls")) {
      config.listenTls(listenTls(listen.section("tls"), files));
    }
    listen.end();
    Section admin = root.section("admin");
    config.admin(admin.get(ClientFields.ADMIN_HOST), admin.get(ClientFields.ADMIN_PORT));
    config.adminToken(files.parsed(admin, ClientFields.ADMIN_TOKEN_FILE, ConfigFile::token));
    if (admin.has("tls")) {
      config.adminTls(adminTls(admin.section("tls"), files));
    }
    admin.end();
    config.apiKeys(apiKeys(root, files));
    readPolicies(root, config);
    root.list("models").forEach(model -> config.model(model(model)));
    config.unknownModel(root.get(ConfigFields.UNKNOWN_MODEL));
    config.kafka(root.properties("kafka", Field.Change.RESTART));
    config.startTimeout(root.get(ConfigFields.START_TIMEOUT));
    config.cacheReplay(root.get(ConfigFields.CACHE_REPLAY));
    config.events(events(root.section("events")));
    config.decisions(ObservationFields.decisions(root.section("decisions")));
    config.tracing(ObservationFields.tracing(root.section("tracing")));
    config.limits(limits(root.section("limits")));
    readTimeouts(root.section("timeouts"), config);
    config.upstreamTls(upstreamTls(root, files));
    config.connections(connections(root.section("connections")));
    config.health(health(root.section("health")));
    config.ejection(ejection(root.section("ejection")));
    config.retryBudget(retryBudget(root.section("retry_budget")));
    config.maxRetries(root.get(ReplicaFields.RETRIES));
    config.timeScale(root.get(ConfigFields.TIME_SCALE));
    config.eventLoops(root.get(ConfigFields.EVENT_LOOPS));
    root.end();
    return config.build();
  }

  private static Secret token(String text) {
    String token = text.strip();
    if (token.length() < LEAST_TOKEN_LENGTH) {
      throw new IllegalArgumentException(
          "the token must have at least " + LEAST_TOKEN_LENGTH + " characters");
    }
    return Secret.of(token);
  }

  private static ApiKeys apiKeys(Section root, NamedFiles files) {
    if (!root.has("api_keys")) {
      return ApiKeys.OPEN;
    }
    Section section = root.section("api_keys");
    ApiKeys keys = files.parsed(section, ClientFields.API_KEYS_FILE, ApiKeys::parse);
    section.end();
    if (keys == null) {
      throw new IllegalArgumentException(section.name(ClientFields.API_KEYS_FILE) + " is missing");
    }
    return keys;
  }

  private static SslContext listenTls(Section section, NamedFiles files) {
    Tls.Identity identity =
        serverIdentity(section, files, ClientFields.LISTEN_CERTIFICATE, ClientFields.LISTEN_KEY);
    byte[] clientCa = files.bytes(section, ClientFields.LISTEN_CLIENT_CA);
    section.end();
    return tls("listen.tls", () -> Tls.server(identity, clientCa));
  }

  private static SslContext adminTls(Section section, NamedFiles files) {
    Tls.Identity identity =
        serverIdentity(section, files, ClientFields.ADMIN_CERTIFICATE, ClientFields.ADMIN_KEY);
    byte[] clientCa = files.bytes(section, ClientFields.ADMIN_CLIENT_CA);
    section.end();
    return tls("admin.tls", () -> Tls.http1Server(identity, clientCa));
  }

  private static Tls.Identity serverIdentity(
      Section section, NamedFiles files, Field<Path> certificate, Field<Path> key) {
    Tls.Identity identity = identity(section, files, certificate, key);
    if (identity == null) {
      throw new IllegalArgumentException(section.name(certificate) + " is missing");
    }
    return identity;
  }

  private static SslContext upstreamTls(Section root, NamedFiles files) {
    if (!root.has("upstream")) {
      return null;
    }
    Section upstream = root.section("upstream");
    Section section = upstream.section("tls");
    byte[] ca = files.bytes(section, ReplicaFields.UPSTREAM_CA);
    Tls.Identity identity =
        identity(section, files, ReplicaFields.UPSTREAM_CERTIFICATE, ReplicaFields.UPSTREAM_KEY);
    section.end();
    upstream.end();
    return tls("upstream.tls", () -> Tls.client(ca, identity));
  }

  private static SslContext tls(String at, Supplier<SslContext> context) {
    try {
      return context.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at + ": " + e.getMessage(), e);
    }
  }

  private static Tls.Identity identity(
      Section section, NamedFiles files, Field<Path> certificate, Field<Path> key) {
    byte[] certificates = files.bytes(section, certificate);
    byte[] privateKey = files.bytes(section, key);
    if ((certificates == null) != (privateKey == null)) {
      throw new IllegalArgumentException(
          section.name(key) + " and the certificate need each other");
    }
    return certificates == null ? null : new Tls.Identity(certificates, privateKey);
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
            listed ? null : dns(section.section("replicas")),
            new TokenizeSettings(section.get(ConfigFields.MODEL_TOKENIZE_TIMEOUT)));
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
            section.get(ConfigFields.REPLICA_NAME),
            section.get(ConfigFields.REPLICA_URL),
            section.get(ConfigFields.REPLICA_DRAIN));
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
            section.get(ClientFields.LIMITS_BODY_BYTES),
            section.get(ClientFields.LIMITS_HEADER_BYTES),
            section.get(ClientFields.LIMITS_HEADERS),
            section.get(ClientFields.LIMITS_REQUESTS),
            section.get(ClientFields.LIMITS_REQUESTS_PER_KEY),
            section.get(ClientFields.LIMITS_STREAMS),
            section.get(ClientFields.LIMITS_BUFFERED_BYTES),
            section.get(ClientFields.LIMITS_CONNECTIONS));
    section.end();
    return limits;
  }

  private static void readTimeouts(Section section, BalancerConfig.Builder config) {
    config.receiveTimeouts(
        new ReceiveTimeouts(
            section.get(ClientFields.TIMEOUTS_HEADER),
            section.get(ClientFields.TIMEOUTS_BODY),
            section.get(ClientFields.TIMEOUTS_KEEP_ALIVE)));
    config.timeouts(
        new Timeouts(
            section.get(ReplicaFields.TIMEOUTS_FIRST_TOKEN),
            section.get(ReplicaFields.TIMEOUTS_IDLE),
            section.get(ReplicaFields.TIMEOUTS_TOTAL)));
    section.end();
  }

  private static ConnectionSettings connections(Section section) {
    ConnectionSettings settings =
        new ConnectionSettings(
            section.get(ReplicaFields.CONNECTIONS_CONNECT_TIMEOUT),
            section.get(ReplicaFields.CONNECTIONS_MAX_IDLE),
            section.get(ReplicaFields.CONNECTIONS_KEEP_IDLE));
    section.end();
    return settings;
  }

  private static HealthSettings health(Section section) {
    HealthSettings settings =
        new HealthSettings(
            section.get(ReplicaFields.HEALTH_INTERVAL),
            section.get(ReplicaFields.HEALTH_TIMEOUT),
            section.get(ReplicaFields.HEALTH_FAILURES),
            section.get(ReplicaFields.HEALTH_EJECTION));
    section.end();
    return settings;
  }

  private static EjectionSettings ejection(Section section) {
    EjectionSettings settings =
        new EjectionSettings(
            section.get(ReplicaFields.EJECTION_FAILURES),
            section.get(ReplicaFields.EJECTION_FAILURE_SHARE),
            section.get(ReplicaFields.EJECTION_MIN_REQUESTS),
            section.get(ReplicaFields.EJECTION_WINDOW),
            section.get(ReplicaFields.EJECTION_MAX_TIME),
            section.get(ReplicaFields.EJECTION_MAX_SHARE),
            section.get(ReplicaFields.EJECTION_SLOW_START));
    section.end();
    return settings;
  }

  private static RetryBudget.Settings retryBudget(Section section) {
    RetryBudget.Settings settings =
        new RetryBudget.Settings(
            section.get(ReplicaFields.RETRY_BUDGET_SHARE),
            section.get(ReplicaFields.RETRY_BUDGET_MINIMUM),
            section.get(ReplicaFields.RETRY_BUDGET_WINDOW));
    section.end();
    return settings;
  }
}
