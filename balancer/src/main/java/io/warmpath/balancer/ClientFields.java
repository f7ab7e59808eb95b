package io.warmpath.balancer;

import static io.warmpath.schemas.config.Field.Change.LIVE;
import static io.warmpath.schemas.config.Field.Change.RESTART;

import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.schemas.config.Field;
import io.warmpath.schemas.config.FieldList;
import io.warmpath.schemas.config.FieldType;
import io.warmpath.schemas.config.FieldTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Fields of the side that faces clients and operators. */
final class ClientFields {

  private static final FieldList ALL = new FieldList();

  private static final FieldType<Integer> PORT = FieldTypes.integer(0, 65_535);

  static final Field<String> LISTEN_HOST =
      ALL.optional(
          "listen.host",
          FieldTypes.text(),
          BalancerConfig.LOOPBACK,
          RESTART,
          "address that clients connect to");

  static final Field<Integer> LISTEN_PORT =
      ALL.optional("listen.port", PORT, BalancerConfig.PORT, RESTART, "its port, 0 for any");

  static final Field<Path> LISTEN_CERTIFICATE =
      ALL.optional(
          "listen.tls.certificate",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM, with those that signed it: clients must use TLS. New connections");

  static final Field<Path> LISTEN_KEY =
      ALL.optional(
          "listen.tls.key", FieldTypes.file(), null, LIVE, "its private key, PEM (PKCS#8)");

  static final Field<Path> LISTEN_CLIENT_CA =
      ALL.optional(
          "listen.tls.client_ca",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM of who signs clients' certificates, which they then need");

  static final Field<String> ADMIN_HOST =
      ALL.optional(
          "admin.host",
          FieldTypes.text(),
          BalancerConfig.LOOPBACK,
          RESTART,
          "address of admin pages and metrics");

  static final Field<Integer> ADMIN_PORT =
      ALL.optional("admin.port", PORT, BalancerConfig.ADMIN_PORT, RESTART, "its port, 0 for any");

  static final Field<Path> ADMIN_TOKEN_FILE =
      ALL.optional(
          "admin.token_file",
          FieldTypes.file(),
          null,
          RESTART,
          "token for `/admin/…`, at least 16 characters; needed where `host` is not loopback");

  static final Field<Path> ADMIN_CERTIFICATE =
      ALL.optional(
          "admin.tls.certificate",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM, with those that signed it: this port is for TLS only. New connections");

  static final Field<Path> ADMIN_KEY =
      ALL.optional("admin.tls.key", FieldTypes.file(), null, LIVE, "its private key, PEM (PKCS#8)");

  static final Field<Path> ADMIN_CLIENT_CA =
      ALL.optional(
          "admin.tls.client_ca",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM of who signs the certificates that clients of this port need");

  static final Field<Path> API_KEYS_FILE =
      ALL.optional(
          "api_keys.file",
          FieldTypes.file(),
          null,
          LIVE,
          "keys that clients need, hashed; without it anybody is served");

  static final Field<Integer> LIMITS_BODY_BYTES =
      ALL.optional(
          "limits.body_bytes",
          FieldTypes.integer(1, 1 << 30),
          Limits.DEFAULTS.maxBodyBytes(),
          LIVE,
          "longest body of a request");

  static final Field<Integer> LIMITS_HEADER_BYTES =
      ALL.optional(
          "limits.header_bytes",
          FieldTypes.integer(1024, 1 << 20),
          Limits.DEFAULTS.maxHeaderBytes(),
          LIVE,
          "all headers of a request; new connections");

  static final Field<Integer> LIMITS_HEADERS =
      ALL.optional(
          "limits.headers",
          FieldTypes.integer(1, 10_000),
          Limits.DEFAULTS.maxHeaders(),
          LIVE,
          "headers of a request");

  static final Field<Integer> LIMITS_REQUESTS =
      ALL.optional(
          "limits.requests",
          FieldTypes.integer(1, 10_000_000),
          Limits.DEFAULTS.maxRequests(),
          LIVE,
          "open requests; those beyond get 503 with `Retry-After`");

  static final Field<Integer> LIMITS_REQUESTS_PER_KEY =
      ALL.optional(
          "limits.requests_per_key",
          FieldTypes.integer(0, 10_000_000),
          Limits.DEFAULTS.maxRequestsPerKey(),
          LIVE,
          "open requests of one name in `api_keys`, 0 for no bound; others get 429");

  static final Field<Integer> LIMITS_STREAMS =
      ALL.optional(
          "limits.streams",
          FieldTypes.integer(1, 1_000_000),
          Limits.DEFAULTS.maxStreams(),
          LIVE,
          "open streams of an HTTP/2 connection; those beyond are refused. New connections");

  static final Field<Long> LIMITS_BUFFERED_BYTES =
      ALL.optional(
          "limits.buffered_bytes",
          FieldTypes.longInteger(1, 1L << 40),
          Limits.DEFAULTS.maxBufferedBytes(),
          LIVE,
          "bodies of all requests until their answers begin; those beyond get 503 with"
              + " `Retry-After`. At least `body_bytes`");

  static final Field<Integer> LIMITS_CONNECTIONS =
      ALL.optional(
          "limits.connections",
          FieldTypes.integer(1, 10_000_000),
          Limits.DEFAULTS.maxConnections(),
          LIVE,
          "clients' connections; those beyond are closed as they come");

  static final Field<Duration> TIMEOUTS_HEADER =
      ALL.optional(
          "timeouts.header",
          FieldTypes.timeout(),
          ReceiveTimeouts.DEFAULTS.header(),
          LIVE,
          "a client's time to send the headers of a request; new connections");

  static final Field<Duration> TIMEOUTS_BODY =
      ALL.optional(
          "timeouts.body",
          FieldTypes.timeout(),
          ReceiveTimeouts.DEFAULTS.body(),
          LIVE,
          "then its body, and later to read the end of an answer; new connections");

  static final Field<Duration> TIMEOUTS_KEEP_ALIVE =
      ALL.optional(
          "timeouts.keep_alive",
          FieldTypes.timeout(),
          ReceiveTimeouts.DEFAULTS.keepAlive(),
          LIVE,
          "how long a connection waits for its next request; new connections");

  private ClientFields() {}

  static List<Field<?>> all() {
    return ALL.fields();
  }
}
