package io.warmpath.console.export;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.util.function.Function;
import java.util.function.Supplier;

/** What Prometheus scrapes of an export. A replica that has left the map's export has no series. */
final class ExportMetrics {

  private static final double MS_PER_SECOND = 1_000.0;
  private static final String MODEL = "model";
  private static final String FORMAT = "format";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Supplier<ExportStatus> status;

  private ExportMetrics(Supplier<ExportStatus> status) {
    this.status = status;
  }

  /** A registry of the metrics of one export. */
  static PrometheusRegistry of(Supplier<ExportStatus> status, Clock clock) {
    ExportMetrics metrics = new ExportMetrics(status);
    metrics.gauge("epoch", "Epoch of the newest weights read, 0 for none.", ExportStatus::epoch);
    metrics.gauge(
        "lease_remaining_seconds",
        "Time left of the weights' lease, negative once it is over.",
        one ->
            one.validUntilMs() == 0 ? null : (one.validUntilMs() - clock.millis()) / MS_PER_SECOND);
    metrics.gauge(
        "equal_weights",
        "1 while all replicas are equal for want of valid weights, else 0.",
        one -> one.lease() == LeaseStanding.IN_FORCE ? 0 : 1);
    metrics.gauge(
        "pending",
        "1 while the router does not have yet what it should, else 0.",
        one -> one.pending() ? 1 : 0);
    metrics.gauge(
        "last_applied_timestamp_seconds",
        "When the router last took weights.",
        one -> one.appliedMs() == 0 ? null : one.appliedMs() / MS_PER_SECOND);
    metrics.gauge(
        "unmapped_replicas",
        "Replicas with published weights that the map does not have.",
        one -> one.unmapped().size());
    metrics.counter(
        "applications", "Times that the router took weights.", ExportStatus::applications);
    metrics.counter(
        "failures", "Times that the router did not take weights.", ExportStatus::failures);
    metrics.counter(
        "invalid_records",
        "Records of the topic that could not be read.",
        ExportStatus::invalidRecords);
    metrics.weights();
    return metrics.registry;
  }

  private void gauge(String name, String help, Function<ExportStatus, Number> value) {
    GaugeWithCallback.builder()
        .name("warmpath_export_" + name)
        .help(help)
        .labelNames(MODEL, FORMAT)
        .callback(
            samples -> {
              ExportStatus now = status.get();
              Number known = value.apply(now);
              if (known != null) {
                samples.call(known.doubleValue(), now.model(), now.format());
              }
            })
        .register(registry);
  }

  private void counter(String name, String help, Function<ExportStatus, Long> value) {
    CounterWithCallback.builder()
        .name("warmpath_export_" + name)
        .help(help)
        .labelNames(MODEL, FORMAT)
        .callback(
            samples -> {
              ExportStatus now = status.get();
              samples.call(value.apply(now), now.model(), now.format());
            })
        .register(registry);
  }

  private void weights() {
    GaugeWithCallback.builder()
        .name("warmpath_export_weight")
        .help("Number that the router has for a replica, 0 if drained.")
        .labelNames(MODEL, FORMAT, "replica")
        .callback(
            samples -> {
              ExportStatus now = status.get();
              for (ExportedWeight one : now.replicas()) {
                samples.call(one.weight(), now.model(), now.format(), one.replica());
              }
            })
        .register(registry);
  }
}
