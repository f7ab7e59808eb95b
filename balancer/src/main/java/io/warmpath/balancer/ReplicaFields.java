package io.warmpath.balancer;

import static io.warmpath.schemas.config.Field.Change.LIVE;
import static io.warmpath.schemas.config.Field.Change.RESTART;

import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.schemas.config.Field;
import io.warmpath.schemas.config.FieldList;
import io.warmpath.schemas.config.FieldTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Fields of the side that faces replicas. */
final class ReplicaFields {

  private static final FieldList ALL = new FieldList();

  static final Field<Duration> TIMEOUTS_FIRST_TOKEN =
      ALL.optional(
          "timeouts.first_token",
          FieldTypes.timeout(),
          Timeouts.DEFAULTS.firstToken(),
          LIVE,
          "dispatch to a stream's first generated token");

  static final Field<Duration> TIMEOUTS_IDLE =
      ALL.optional(
          "timeouts.idle",
          FieldTypes.timeout(),
          Timeouts.DEFAULTS.idle(),
          LIVE,
          "between two reads of an answer that has begun");

  static final Field<Duration> TIMEOUTS_TOTAL =
      ALL.optional(
          "timeouts.total",
          FieldTypes.timeout(),
          Timeouts.DEFAULTS.total(),
          LIVE,
          "request received to end of answer");

  static final Field<Path> UPSTREAM_CA =
      ALL.optional(
          "upstream.tls.ca",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM of who signs the certificates of replicas with `https`; else whom Java trusts");

  static final Field<Path> UPSTREAM_CERTIFICATE =
      ALL.optional(
          "upstream.tls.certificate",
          FieldTypes.file(),
          null,
          LIVE,
          "PEM of what the balancer shows to them");

  static final Field<Path> UPSTREAM_KEY =
      ALL.optional(
          "upstream.tls.key", FieldTypes.file(), null, LIVE, "its private key, PEM (PKCS#8)");

  static final Field<Duration> CONNECTIONS_CONNECT_TIMEOUT =
      ALL.optional(
          "connections.connect_timeout",
          FieldTypes.duration(Duration.ofMillis(1), Duration.ofMinutes(10)),
          ConnectionSettings.DEFAULTS.connectTimeout(),
          RESTART,
          "a connection to a replica that takes longer has failed, as has a longer look-up of its name");

  static final Field<Integer> CONNECTIONS_MAX_IDLE =
      ALL.optional(
          "connections.max_idle",
          FieldTypes.integer(0, 1 << 20),
          ConnectionSettings.DEFAULTS.maxIdle(),
          RESTART,
          "idle connections kept, per replica and event loop");

  static final Field<Duration> CONNECTIONS_KEEP_IDLE =
      ALL.optional(
          "connections.keep_idle",
          FieldTypes.time(),
          ConnectionSettings.DEFAULTS.keepIdle(),
          RESTART,
          "how long one is used again; less than the replica keeps it open");

  static final Field<Duration> HEALTH_INTERVAL =
      ALL.optional(
          "health.interval",
          FieldTypes.time(),
          HealthSettings.DEFAULTS.interval(),
          RESTART,
          "time between two checks of a replica; 0ms for no checks");

  static final Field<Duration> HEALTH_TIMEOUT =
      ALL.optional(
          "health.timeout",
          FieldTypes.duration(Duration.ofMillis(1), Duration.ofMinutes(10)),
          HealthSettings.DEFAULTS.timeout(),
          RESTART,
          "a check that takes longer has failed");

  static final Field<Integer> HEALTH_FAILURES =
      ALL.optional(
          "health.failures",
          FieldTypes.integer(1, 1000),
          HealthSettings.DEFAULTS.failures(),
          RESTART,
          "failed checks in a row that make a replica `down`");

  static final Field<Duration> HEALTH_EJECTION =
      ALL.optional(
          "health.ejection",
          FieldTypes.time(),
          HealthSettings.DEFAULTS.ejection(),
          RESTART,
          "how long a replica gets nothing after a connection failed");

  static final Field<Integer> EJECTION_FAILURES =
      ALL.optional(
          "ejection.failures",
          FieldTypes.integer(0, 100_000),
          EjectionSettings.DEFAULTS.failures(),
          RESTART,
          "failed requests in a row that eject a replica, 0 for no such rule");

  static final Field<Double> EJECTION_FAILURE_SHARE =
      ALL.optional(
          "ejection.failure_share",
          FieldTypes.decimal(1e-6, 1),
          EjectionSettings.DEFAULTS.failureShare(),
          RESTART,
          "share of failed requests in the window that ejects a replica");

  static final Field<Integer> EJECTION_MIN_REQUESTS =
      ALL.optional(
          "ejection.min_requests",
          FieldTypes.integer(1, 1_000_000),
          EjectionSettings.DEFAULTS.minRequests(),
          RESTART,
          "requests in the window below which the share says nothing");

  static final Field<Duration> EJECTION_WINDOW =
      ALL.optional(
          "ejection.window",
          FieldTypes.timeout(),
          EjectionSettings.DEFAULTS.window(),
          RESTART,
          "time over which the share is taken");

  static final Field<Duration> EJECTION_MAX_TIME =
      ALL.optional(
          "ejection.max_time",
          FieldTypes.time(),
          EjectionSettings.DEFAULTS.maxTime(),
          RESTART,
          "each ejection soon after the last is twice as long, up to this");

  static final Field<Double> EJECTION_MAX_SHARE =
      ALL.optional(
          "ejection.max_share",
          FieldTypes.decimal(0, 1),
          EjectionSettings.DEFAULTS.maxShare(),
          RESTART,
          "share of a model's replicas that may be out for their answers or for late checks");

  static final Field<Duration> EJECTION_SLOW_START =
      ALL.optional(
          "ejection.slow_start",
          FieldTypes.time(),
          EjectionSettings.DEFAULTS.slowStart(),
          RESTART,
          "how long a replica that came back or joined takes to its full share, 0ms for at once");

  static final Field<Double> RETRY_BUDGET_SHARE =
      ALL.optional(
          "retry_budget.share",
          FieldTypes.decimal(0, 10),
          RetryBudget.Settings.DEFAULTS.share(),
          RESTART,
          "retries for each request of the window");

  static final Field<Integer> RETRY_BUDGET_MINIMUM =
      ALL.optional(
          "retry_budget.minimum",
          FieldTypes.integer(0, 1_000_000),
          RetryBudget.Settings.DEFAULTS.minimum(),
          RESTART,
          "retries in the window that are allowed however few requests there are");

  static final Field<Duration> RETRY_BUDGET_WINDOW =
      ALL.optional(
          "retry_budget.window",
          FieldTypes.timeout(),
          RetryBudget.Settings.DEFAULTS.window(),
          RESTART,
          "time that counts as recent");

  static final Field<Integer> RETRIES =
      ALL.optional(
          "retries", FieldTypes.integer(0, 10), 2, LIVE, "attempts beyond the first, at most");

  private ReplicaFields() {}

  static List<Field<?>> all() {
    return ALL.fields();
  }
}
