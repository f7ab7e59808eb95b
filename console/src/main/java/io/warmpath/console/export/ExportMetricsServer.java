package io.warmpath.console.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.function.Supplier;

/** Serves the metrics of an export at {@code /metrics}. */
public final class ExportMetricsServer implements AutoCloseable {

  private static final int BACKLOG = 16;
  private static final ExpositionFormats FORMATS = ExpositionFormats.init();

  private final HttpServer server;

  private ExportMetricsServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to serve.
   *
   * @param port 0 takes a free one
   * @throws IOException if it cannot listen
   */
  public static ExportMetricsServer start(
      String host, int port, Supplier<ExportStatus> status, Clock clock) throws IOException {
    PrometheusRegistry registry = ExportMetrics.of(status, clock);
    HttpServer server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
    server.createContext("/metrics", exchange -> answer(exchange, registry));
    server.start();
    return new ExportMetricsServer(server);
  }

  private static void answer(HttpExchange exchange, PrometheusRegistry registry)
      throws IOException {
    ExpositionFormatWriter format =
        FORMATS.findWriter(exchange.getRequestHeaders().getFirst("Accept"));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    format.write(body, registry.scrape());
    exchange.getResponseHeaders().set("content-type", format.getContentType());
    try (exchange) {
      exchange.sendResponseHeaders(200, body.size());
      body.writeTo(exchange.getResponseBody());
    }
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
