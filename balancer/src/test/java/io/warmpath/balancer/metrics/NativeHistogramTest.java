package io.warmpath.balancer.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.expositionformats.generated.Metrics;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeHistogramTest {

  private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");
  private static final String TTFT = "gen_ai_server_time_to_first_token_seconds";

  /** What Prometheus sends where native histograms are on. */
  private static final String ACCEPT =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,"
          + "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5";

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private FakeReplica replica;
  private TestBalancer balancer;

  @BeforeEach
  void serveTwoRequests() throws Exception {
    replica = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    balancer = TestBalancer.inFrontOf(replica);
    balancer.chat(true);
    balancer.chat(true);
    Eventually.until("both over", () -> balancer.idle());
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void hasClassicAndNativeBucketsInProtobuf() throws Exception {
    Map<String, Metrics.MetricFamily> families = scrape();
    for (String name :
        new String[] {
          TTFT,
          "gen_ai_server_request_duration_seconds",
          "gen_ai_server_time_per_output_token_seconds",
        }) {
      Metrics.Histogram histogram = families.get(name).getMetric(0).getHistogram();
      assertEquals(2, histogram.getSampleCount(), name);
      assertTrue(histogram.getBucketCount() > 10, name);
      assertEquals(2, histogram.getBucket(histogram.getBucketCount() - 1).getCumulativeCount());
      assertEquals(3, histogram.getSchema(), name);
      assertTrue(histogram.getPositiveSpanCount() > 0, name);
    }
    Metrics.MetricFamily requests = families.get("warmpath_balancer_requests_total");
    assertEquals(Metrics.MetricType.COUNTER, requests.getType());
    assertEquals(2, requests.getMetric(0).getCounter().getValue());
    assertEquals(0, families.get("warmpath_balancer_in_flight").getMetric(0).getGauge().getValue());
  }

  @Test
  void hasTheSameMetricsInBothFormats() throws Exception {
    long inText =
        balancer
            .admin("/metrics")
            .body()
            .lines()
            .filter(line -> line.startsWith("# TYPE "))
            .map(line -> line.split(" ")[2])
            .filter(name -> hasSamples(name))
            .count();
    assertEquals(inText, scrape().size());
  }

  private boolean hasSamples(String name) {
    try {
      return balancer
          .admin("/metrics")
          .body()
          .lines()
          .anyMatch(line -> line.matches(name + "(_bucket)?[ {].*"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isReadByPrometheus() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(PROMETHEUS), "prometheus is not installed");
    int port = freePort();
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 200ms, scrape_timeout: 200ms}
        scrape_configs:
          - job_name: balancer
            static_configs: [{targets: ["127.0.0.1:%d"]}]
        """
            .formatted(balancer.adminPort()));
    Process prometheus =
        new ProcessBuilder(
                PROMETHEUS.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--enable-feature=native-histograms")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    try {
      Eventually.until("scraped", () -> value(port, "histogram_count(" + TTFT + ")") == 2);
      double median = value(port, "histogram_quantile(0.5, " + TTFT + ")");
      double mean = value(port, "histogram_sum(" + TTFT + ") / histogram_count(" + TTFT + ")");
      assertTrue(median > 0, "median " + median);
      // Two values: the median is no more than the larger one, and that no more than their sum.
      assertTrue(median <= 2 * mean * 1.1, "median " + median + ", mean " + mean);
    } finally {
      prometheus.destroyForcibly().waitFor();
    }
  }

  /** The one value of a query; NaN while there is none. */
  private double value(int port, String query) {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + encoded);
    try {
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      JsonNode value = new ObjectMapper().readTree(answer.body()).at("/data/result/0/value/1");
      return value.isMissingNode() ? Double.NaN : Double.parseDouble(value.asText());
    } catch (IOException e) {
      return Double.NaN;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, Metrics.MetricFamily> scrape() throws Exception {
    HttpResponse<InputStream> page =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + balancer.adminPort() + "/metrics"))
                .header("accept", ACCEPT)
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertTrue(
        page.headers()
            .firstValue("content-type")
            .orElseThrow()
            .startsWith("application/vnd.google.protobuf"));
    Map<String, Metrics.MetricFamily> families = new HashMap<>();
    try (InputStream body = page.body()) {
      Metrics.MetricFamily family;
      while ((family = Metrics.MetricFamily.parseDelimitedFrom(body)) != null) {
        families.put(family.getName(), family);
      }
    }
    return families;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
