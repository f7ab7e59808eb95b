package io.warmpath.console.metrics;

import io.warmpath.console.export.ExportStatus;
import io.warmpath.console.export.ExportedWeight;
import io.warmpath.console.export.LeaseStanding;
import io.warmpath.console.metrics.MetricsText.Type;

/** What Prometheus scrapes of an export to another router. */
public final class ExportMetrics {

  public static final String CONTENT_TYPE = MetricsText.CONTENT_TYPE;

  private static final double MS_PER_SECOND = 1_000.0;

  private ExportMetrics() {}

  /**
   * The page.
   *
   * @param nowMs epoch milliseconds
   */
  public static String render(ExportStatus status, long nowMs) {
    MetricsText text = new MetricsText();
    String[] labels = {"model", status.model(), "format", status.format()};
    one(
        text,
        "warmpath_export_epoch",
        Type.GAUGE,
        "Epoch of the newest weights read, 0 for none.",
        status.epoch(),
        labels);
    one(
        text,
        "warmpath_export_lease_remaining_seconds",
        Type.GAUGE,
        "Time left of the weights' lease, negative once it is over.",
        status.validUntilMs() == 0 ? null : (status.validUntilMs() - nowMs) / MS_PER_SECOND,
        labels);
    one(
        text,
        "warmpath_export_equal_weights",
        Type.GAUGE,
        "1 while all replicas are equal for want of valid weights, else 0.",
        status.lease() == LeaseStanding.IN_FORCE ? 0 : 1,
        labels);
    one(
        text,
        "warmpath_export_pending",
        Type.GAUGE,
        "1 while the router does not have yet what it should, else 0.",
        status.pending() ? 1 : 0,
        labels);
    one(
        text,
        "warmpath_export_applications_total",
        Type.COUNTER,
        "Times that the router took weights.",
        status.applications(),
        labels);
    one(
        text,
        "warmpath_export_failures_total",
        Type.COUNTER,
        "Times that the router did not take weights.",
        status.failures(),
        labels);
    one(
        text,
        "warmpath_export_last_applied_timestamp_seconds",
        Type.GAUGE,
        "When the router last took weights.",
        status.appliedMs() == 0 ? null : status.appliedMs() / MS_PER_SECOND,
        labels);
    one(
        text,
        "warmpath_export_unmapped_replicas",
        Type.GAUGE,
        "Replicas with published weights that the map does not have.",
        status.unmapped().size(),
        labels);
    one(
        text,
        "warmpath_export_invalid_records_total",
        Type.COUNTER,
        "Records of the topic that could not be read.",
        status.invalidRecords(),
        labels);
    String weight = "warmpath_export_weight";
    text.family(weight, Type.GAUGE, "Number that the router has for a replica, 0 if drained.");
    for (ExportedWeight replica : status.replicas()) {
      text.sample(
          weight,
          replica.weight(),
          "model",
          status.model(),
          "format",
          status.format(),
          "replica",
          replica.replica());
    }
    return text.toString();
  }

  private static void one(
      MetricsText text, String name, Type type, String help, Number value, String... labels) {
    text.family(name, type, help);
    text.sample(name, value, labels);
  }
}
