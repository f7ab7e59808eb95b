package io.warmpath.balancer;

import static io.warmpath.balancer.config.Field.Change.LIVE;
import static io.warmpath.balancer.config.Field.Change.RESTART;

import io.warmpath.balancer.config.Field;
import io.warmpath.balancer.config.FieldType;
import io.warmpath.balancer.config.FieldTypes;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.proxy.UnknownModel;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.prefix.PrefixHasher;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** All fields of a balancer's configuration, in the order of the reference. */
final class ConfigFields {

  private static final List<Field<?>> ALL = new ArrayList<>();

  private static final Duration MAX = Duration.ofDays(30);
  private static final FieldType<Duration> TIMEOUT = FieldTypes.duration(Duration.ofMillis(1), MAX);
  private static final FieldType<Duration> TIME_OR_NONE = FieldTypes.duration(Duration.ZERO, MAX);
  private static final FieldType<Integer> PORT = FieldTypes.integer(0, 65_535);
  private static final FieldType<String> POLICY_NAME =
      FieldTypes.parsed(
          "policy",
          name -> {
            Policies.parse(name);
            return name;
          },
          Function.identity());

  static final Field<String> NAME =
      optional("name", FieldTypes.text(), "balancer-0", RESTART, "name in events and to Kafka");

  static final Field<String> LISTEN_HOST =
      optional(
          "listen.host",
          FieldTypes.text(),
          BalancerConfig.LOOPBACK,
          RESTART,
          "address that clients connect to");
  static final Field<Integer> LISTEN_PORT =
      optional("listen.port", PORT, BalancerConfig.PORT, RESTART, "its port, 0 for any");

  static final Field<Path> LISTEN_CERTIFICATE =
      optional(
          "listen.tls.certificate",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM, with those that signed it: clients must use TLS. New connections");
  static final Field<Path> LISTEN_KEY =
      optional("listen.tls.key", FieldTypes.file(), null, LIVE, "its private key, PEM (PKCS#8)");
  static final Field<Path> LISTEN_CLIENT_CA =
      optional(
          "listen.tls.client_ca",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM of who signs clients' certificates, which they then need");

  static final Field<String> ADMIN_HOST =
      optional(
          "admin.host",
          FieldTypes.text(),
          BalancerConfig.LOOPBACK,
          RESTART,
          "address of admin pages and metrics");
  static final Field<Integer> ADMIN_PORT =
      optional("admin.port", PORT, BalancerConfig.ADMIN_PORT, RESTART, "its port, 0 for any");

  static final Field<Path> ADMIN_TOKEN_FILE =
      optional(
          "admin.token_file",
          FieldTypes.file(),
          null,
          RESTART,
          "token for `/admin/…`, at least 16 characters; needed where `host` is not loopback");

  static final Field<Path> API_KEYS_FILE =
      optional(
          "api_keys.file",
          FieldTypes.file(),
          null,
          LIVE,
          "keys that clients need, hashed; without it anybody is served");

  static final Field<String> POLICY =
      optional(
          "policy",
          POLICY_NAME,
          "adaptive",
          LIVE,
          "routes all requests; see docs/policies.md. Not beside `arms`");
  static final Field<String> ARM_POLICY =
      required("arms[].policy", POLICY_NAME, LIVE, "routes a share of the conversations");
  static final Field<Double> ARM_SHARE =
      optional(
          "arms[].share",
          FieldTypes.decimal(1e-6, 1e6),
          1.0,
          LIVE,
          "that share, relative to the other arms'");

  static final Field<String> MODEL_NAME =
      required("models[].name", FieldTypes.text(), RESTART, "name that clients ask for");
  static final Field<TokenizerKind> MODEL_TOKENIZER =
      optional(
          "models[].tokenizer",
          FieldTypes.choice(TokenizerKind.class),
          TokenizerKind.QUAD,
          RESTART,
          "how prompts are counted: as the modelled replicas do, or by bytes as an approximation");
  static final Field<Integer> MODEL_BLOCK_TOKENS =
      optional(
          "models[].block_tokens",
          FieldTypes.integer(1, PrefixHasher.MAX_BLOCK_TOKENS),
          ModelConfig.DEFAULT_BLOCK_TOKENS,
          RESTART,
          "tokens a KV block, as the replicas have them");
  static final Field<String> REPLICA_NAME =
      required(
          "models[].replicas[].name",
          FieldTypes.text(),
          LIVE,
          "name in events, metrics and weights; only one of all models");
  static final Field<URI> REPLICA_URL =
      required(
          "models[].replicas[].url",
          FieldTypes.parsed("URL", ReplicaAddress::parseUrl, URI::toString),
          LIVE,
          "`http://host:port` or `https://…`, perhaps with a path before `/v1`");
  static final Field<String> REPLICAS_DNS =
      required(
          "models[].replicas.dns",
          FieldTypes.text(),
          LIVE,
          "in place of a list: a name each address of which is a replica, named `address:port`");
  static final Field<Integer> REPLICAS_PORT =
      required(
          "models[].replicas.port", FieldTypes.integer(1, 65_535), LIVE, "port of all of them");
  static final Field<Duration> REPLICAS_REFRESH =
      optional(
          "models[].replicas.refresh",
          FieldTypes.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          Duration.ofSeconds(10),
          LIVE,
          "how often the name is looked up");
  static final Field<UnknownModel> UNKNOWN_MODEL =
      optional(
          "unknown_model",
          FieldTypes.choice(UnknownModel.class),
          UnknownModel.REFUSE,
          LIVE,
          "requests for other models get 404, or go to the first model");

  static final Field<Duration> START_TIMEOUT =
      optional(
          "start_timeout",
          TIME_OR_NONE,
          Duration.ofSeconds(5),
          RESTART,
          "how long a start waits for Kafka's topics to be read");
  static final Field<Duration> CACHE_REPLAY =
      optional(
          "cache_replay",
          TIME_OR_NONE,
          Duration.ofMinutes(30),
          RESTART,
          "how far back cache events are read at the start");

  static final Field<Integer> EVENTS_BUFFER =
      optional(
          "events.buffer",
          FieldTypes.integer(1, 10_000_000),
          EventSettings.DEFAULTS.buffer(),
          RESTART,
          "events kept at most while Kafka does not take them");
  static final Field<Duration> EVENTS_FLUSH_TIMEOUT =
      optional(
          "events.flush_timeout",
          TIME_OR_NONE,
          EventSettings.DEFAULTS.flushTimeout(),
          RESTART,
          "how long a stop waits for events to be delivered");
  static final Field<Double> EVENTS_SAMPLE_RATE =
      optional(
          "events.sample_rate",
          FieldTypes.decimal(0, 1),
          EventSettings.DEFAULTS.sampleRate(),
          RESTART,
          "share of the block hashes that `routed` events carry");

  static final Field<Integer> LIMITS_BODY_BYTES =
      optional(
          "limits.body_bytes",
          FieldTypes.integer(1, 1 << 30),
          Limits.DEFAULTS.maxBodyBytes(),
          LIVE,
          "longest body of a request");
  static final Field<Integer> LIMITS_HEADER_BYTES =
      optional(
          "limits.header_bytes",
          FieldTypes.integer(1024, 1 << 20),
          Limits.DEFAULTS.maxHeaderBytes(),
          LIVE,
          "all headers of a request; new connections");

  static final Field<Integer> LIMITS_HEADERS =
      optional(
          "limits.headers",
          FieldTypes.integer(1, 10_000),
          Limits.DEFAULTS.maxHeaders(),
          LIVE,
          "headers of a request");
  static final Field<Integer> LIMITS_REQUESTS =
      optional(
          "limits.requests",
          FieldTypes.integer(1, 10_000_000),
          Limits.DEFAULTS.maxRequests(),
          LIVE,
          "open requests; those beyond get 503 with `Retry-After`");
  static final Field<Integer> LIMITS_REQUESTS_PER_KEY =
      optional(
          "limits.requests_per_key",
          FieldTypes.integer(0, 10_000_000),
          Limits.DEFAULTS.maxRequestsPerKey(),
          LIVE,
          "open requests of one name in `api_keys`, 0 for no bound; others get 429");

  static final Field<Duration> TIMEOUTS_HEADER =
      optional(
          "timeouts.header",
          TIMEOUT,
          ReceiveTimeouts.DEFAULTS.header(),
          LIVE,
          "a client's time to send the headers of a request; new connections");
  static final Field<Duration> TIMEOUTS_BODY =
      optional(
          "timeouts.body",
          TIMEOUT,
          ReceiveTimeouts.DEFAULTS.body(),
          LIVE,
          "then its body; new connections");
  static final Field<Duration> TIMEOUTS_KEEP_ALIVE =
      optional(
          "timeouts.keep_alive",
          TIMEOUT,
          ReceiveTimeouts.DEFAULTS.keepAlive(),
          LIVE,
          "how long a connection waits for its next request; new connections");
  static final Field<Duration> TIMEOUTS_FIRST_TOKEN =
      optional(
          "timeouts.first_token",
          TIMEOUT,
          Timeouts.DEFAULTS.firstToken(),
          LIVE,
          "dispatch to a stream's first generated token");
  static final Field<Duration> TIMEOUTS_IDLE =
      optional(
          "timeouts.idle",
          TIMEOUT,
          Timeouts.DEFAULTS.idle(),
          LIVE,
          "between two reads of an answer that has begun");
  static final Field<Duration> TIMEOUTS_TOTAL =
      optional(
          "timeouts.total",
          TIMEOUT,
          Timeouts.DEFAULTS.total(),
          LIVE,
          "request received to end of answer");

  static final Field<Path> UPSTREAM_CA =
      optional(
          "upstream.tls.ca",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM of who signs the certificates of replicas with `https`; else whom Java trusts");
  static final Field<Path> UPSTREAM_CERTIFICATE =
      optional(
          "upstream.tls.certificate",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM of what the balancer shows to them");
  static final Field<Path> UPSTREAM_KEY =
      optional("upstream.tls.key", FieldTypes.file(), null, LIVE, "its private key, PEM (PKCS#8)");

  static final Field<Duration> CONNECTIONS_CONNECT_TIMEOUT =
      optional(
          "connections.connect_timeout",
          FieldTypes.duration(Duration.ofMillis(1), Duration.ofMinutes(10)),
          ConnectionSettings.DEFAULTS.connectTimeout(),
          RESTART,
          "a connection to a replica that takes longer has failed");
  static final Field<Integer> CONNECTIONS_MAX_IDLE =
      optional(
          "connections.max_idle",
          FieldTypes.integer(0, 1 << 20),
          ConnectionSettings.DEFAULTS.maxIdle(),
          RESTART,
          "idle connections kept, per replica and event loop");
  static final Field<Duration> CONNECTIONS_KEEP_IDLE =
      optional(
          "connections.keep_idle",
          TIME_OR_NONE,
          ConnectionSettings.DEFAULTS.keepIdle(),
          RESTART,
          "how long one is used again; less than the replica keeps it open");

  static final Field<Duration> HEALTH_INTERVAL =
      optional(
          "health.interval",
          TIME_OR_NONE,
          HealthSettings.DEFAULTS.interval(),
          RESTART,
          "time between two checks of a replica; 0ms for no checks");
  static final Field<Duration> HEALTH_TIMEOUT =
      optional(
          "health.timeout",
          FieldTypes.duration(Duration.ofMillis(1), Duration.ofMinutes(10)),
          HealthSettings.DEFAULTS.timeout(),
          RESTART,
          "a check that takes longer has failed");
  static final Field<Integer> HEALTH_FAILURES =
      optional(
          "health.failures",
          FieldTypes.integer(1, 1000),
          HealthSettings.DEFAULTS.failures(),
          RESTART,
          "failed checks in a row that make a replica `down`");
  static final Field<Duration> HEALTH_EJECTION =
      optional(
          "health.ejection",
          TIME_OR_NONE,
          HealthSettings.DEFAULTS.ejection(),
          RESTART,
          "how long a replica gets nothing after a connection failed");

  static final Field<Integer> EJECTION_FAILURES =
      optional(
          "ejection.failures",
          FieldTypes.integer(0, 100_000),
          EjectionSettings.DEFAULTS.failures(),
          RESTART,
          "failed requests in a row that eject a replica, 0 for no such rule");
  static final Field<Double> EJECTION_FAILURE_SHARE =
      optional(
          "ejection.failure_share",
          FieldTypes.decimal(1e-6, 1),
          EjectionSettings.DEFAULTS.failureShare(),
          RESTART,
          "share of failed requests in the window that ejects a replica");
  static final Field<Integer> EJECTION_MIN_REQUESTS =
      optional(
          "ejection.min_requests",
          FieldTypes.integer(1, 1_000_000),
          EjectionSettings.DEFAULTS.minRequests(),
          RESTART,
          "requests in the window below which the share says nothing");
  static final Field<Duration> EJECTION_WINDOW =
      optional(
          "ejection.window",
          TIMEOUT,
          EjectionSettings.DEFAULTS.window(),
          RESTART,
          "time over which the share is taken");
  static final Field<Duration> EJECTION_MAX_TIME =
      optional(
          "ejection.max_time",
          TIME_OR_NONE,
          EjectionSettings.DEFAULTS.maxTime(),
          RESTART,
          "each ejection soon after the last is twice as long, up to this");
  static final Field<Double> EJECTION_MAX_SHARE =
      optional(
          "ejection.max_share",
          FieldTypes.decimal(0, 1),
          EjectionSettings.DEFAULTS.maxShare(),
          RESTART,
          "share of a model's replicas that may be out for their answers");
  static final Field<Duration> EJECTION_SLOW_START =
      optional(
          "ejection.slow_start",
          TIME_OR_NONE,
          EjectionSettings.DEFAULTS.slowStart(),
          RESTART,
          "how long a replica that came back takes to its full share, 0ms for at once");

  static final Field<Double> RETRY_BUDGET_SHARE =
      optional(
          "retry_budget.share",
          FieldTypes.decimal(0, 10),
          RetryBudget.Settings.DEFAULTS.share(),
          RESTART,
          "retries for each request of the window");
  static final Field<Integer> RETRY_BUDGET_MINIMUM =
      optional(
          "retry_budget.minimum",
          FieldTypes.integer(0, 1_000_000),
          RetryBudget.Settings.DEFAULTS.minimum(),
          RESTART,
          "retries in the window that are allowed however few requests there are");
  static final Field<Duration> RETRY_BUDGET_WINDOW =
      optional(
          "retry_budget.window",
          TIMEOUT,
          RetryBudget.Settings.DEFAULTS.window(),
          RESTART,
          "time that counts as recent");

  static final Field<Integer> RETRIES =
      optional("retries", FieldTypes.integer(0, 10), 2, LIVE, "attempts beyond the first, at most");
  static final Field<Double> TIME_SCALE =
      optional(
          "time_scale",
          FieldTypes.decimal(1, 1000),
          1.0,
          RESTART,
          "how much faster than real the replicas run: factor of durations in events and metrics");
  static final Field<Integer> EVENT_LOOPS =
      optional(
          "event_loops",
          FieldTypes.integer(0, 1024),
          0,
          RESTART,
          "threads that serve, 0 for one a processor");

  private ConfigFields() {}

  /** All fields but the pass-through properties of {@code kafka}. */
  static List<Field<?>> all() {
    return List.copyOf(ALL);
  }

  private static <T> Field<T> required(
      String path, FieldType<T> type, Field.Change change, String meaning) {
    return added(Field.required(path, type, change, meaning));
  }

  private static <T> Field<T> optional(
      String path, FieldType<T> type, T otherwise, Field.Change change, String meaning) {
    return added(Field.optional(path, type, otherwise, change, meaning));
  }

  private static <T> Field<T> added(Field<T> field) {
    ALL.add(field);
    return field;
  }
}
