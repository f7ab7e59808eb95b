package io.warmpath.bench.proxy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** One reading of a balancer's metrics. */
final class BalancerMetrics {

  private final String text;

  private BalancerMetrics(String text) {
    this.text = text;
  }

  /**
   * Reads them.
   *
   * @param adminPort port of the balancer's admin pages
   */
  static BalancerMetrics read(int adminPort) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + adminPort + "/metrics");
    return new BalancerMetrics(
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
            .body());
  }

  /** Sum of a metric's series. */
  double sum(String metric) {
    return text.lines()
        .filter(line -> line.startsWith(metric + " ") || line.startsWith(metric + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
