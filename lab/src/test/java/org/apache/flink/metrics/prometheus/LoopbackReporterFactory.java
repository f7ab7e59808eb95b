package org.apache.flink.metrics.prometheus;

import io.prometheus.client.exporter.HTTPServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Properties;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Flink's Prometheus reporter on loopback: the original listens on all addresses and cannot be told
 * otherwise. In its package, since what it has collected is not to be had from outside.
 */
public final class LoopbackReporterFactory implements MetricReporterFactory {

  @Override
  public MetricReporter createMetricReporter(Properties properties) {
    return new LoopbackReporter();
  }

  private static final class LoopbackReporter extends AbstractPrometheusReporter {

    private HTTPServer server;

    @Override
    public void open(MetricConfig config) {
      super.open(config);
      InetSocketAddress address =
          new InetSocketAddress(
              InetAddress.getLoopbackAddress(), Integer.parseInt(config.getString("port", "0")));
      try {
        server = new HTTPServer(address, registry, true);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot listen on " + address, e);
      }
    }

    @Override
    public void close() {
      if (server != null) {
        server.stop();
      }
      super.close();
    }
  }
}
