package io.warmpath.console.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.warmpath.console.export.ExportStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.function.Supplier;

/** Serves the metrics of an export at {@code /metrics}. */
public final class ExportMetricsServer implements AutoCloseable {

  private static final int BACKLOG = 16;

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
    HttpServer server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
    server.createContext(
        "/metrics",
        exchange -> answer(exchange, ExportMetrics.render(status.get(), clock.millis())));
    server.start();
    return new ExportMetricsServer(server);
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", ExportMetrics.CONTENT_TYPE);
    try (exchange) {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
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
