package io.warmpath.balancer.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Prometheus' protobuf format, which alone carries native histograms. */
public final class PrometheusProtobuf {

  private static final PrometheusProtobufWriter WRITER = new PrometheusProtobufWriter();
  private static final String TOTAL = "_total";

  /** Media type of the page. */
  public static final String CONTENT_TYPE = PrometheusProtobufWriter.CONTENT_TYPE;

  private PrometheusProtobuf() {}

  /**
   * Whether a scraper asks for this format.
   *
   * @param accept its {@code Accept} header, or null
   */
  public static boolean isAsked(String accept) {
    return accept != null && WRITER.accepts(accept);
  }

  /** Writes metrics, each with its length before it. */
  public static byte[] write(List<MetricFamily> families) {
    MetricSnapshot[] snapshots =
        families.stream().map(PrometheusProtobuf::snapshot).toArray(MetricSnapshot[]::new);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(8192);
    try {
      WRITER.write(bytes, new MetricSnapshots(snapshots), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static MetricSnapshot snapshot(MetricFamily family) {
    return switch (family.type()) {
      case "histogram" -> family.histogram();
      case "counter" -> counter(family);
      case "gauge" -> gauge(family);
      default -> throw new IllegalArgumentException(family.name() + " is a " + family.type());
    };
  }

  /** The writer adds the ending that counters have. */
  private static CounterSnapshot counter(MetricFamily family) {
    String name = family.name();
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder()
            .name(name.substring(0, name.length() - TOTAL.length()))
            .help(family.help());
    for (MetricFamily.Sample sample : family.samples()) {
      counter.dataPoint(new CounterDataPointSnapshot(sample.value(), labels(sample), null, 0));
    }
    return counter.build();
  }

  private static GaugeSnapshot gauge(MetricFamily family) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(family.name()).help(family.help());
    for (MetricFamily.Sample sample : family.samples()) {
      gauge.dataPoint(new GaugeDataPointSnapshot(sample.value(), labels(sample), null));
    }
    return gauge.build();
  }

  private static Labels labels(MetricFamily.Sample sample) {
    return Labels.of(sample.labels().toArray(String[]::new));
  }
}
