package io.warmpath.console.metrics;

/** The formats that a scraper can have the metrics in. */
public enum MetricsFormat {
  /** Prometheus' text format, version 0.0.4. */
  PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
  /** OpenMetrics, version 1.0.0. */
  OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

  private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";

  private final String contentType;

  MetricsFormat(String contentType) {
    this.contentType = contentType;
  }

  /** Its media type. */
  public String contentType() {
    return contentType;
  }

  /**
   * The format for a scraper: OpenMetrics where it takes that.
   *
   * @param accept its {@code Accept} header, or null
   */
  public static MetricsFormat of(String accept) {
    return accept != null && accept.contains(OPEN_METRICS_TYPE) ? OPEN_METRICS : PROMETHEUS;
  }
}
