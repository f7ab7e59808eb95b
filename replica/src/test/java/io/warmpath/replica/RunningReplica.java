package io.warmpath.replica;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.events.RecordingSink;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A replica on a free port, with a client and a record of its events. */
final class RunningReplica implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  final RecordingSink sink = new RecordingSink();
  final ReplicaServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  RunningReplica(UnaryOperator<ReplicaConfig.Builder> options) {
    ReplicaConfig.Builder builder =
        ReplicaConfig.builder().port(0).profile(profile()).telemetryInterval(Duration.ofMillis(50));
    server = ReplicaServer.start(options.apply(builder).build(), sink);
  }

  /** 1 ms a step, and little else. */
  static EngineProfile profile() {
    return new EngineProfile(
        "quick",
        "made up",
        1_000,
        1,
        1,
        0,
        0,
        0,
        2_048,
        64,
        1_000,
        16,
        new EngineProfile.Gpu("none", 10, 9));
  }

  HttpResponse<String> post(String path, String body, String... headers) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(PATIENCE)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  HttpResponse<String> get(String path) throws IOException {
    return send(HttpRequest.newBuilder(uri(path)).timeout(PATIENCE).build());
  }

  JsonNode json(String path, String body) throws IOException {
    return JSON.readTree(post(path, body).body());
  }

  /** The value of a series of {@code /metrics}, by the beginning of its line. */
  double metric(String series) throws IOException {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "still waiting until " + what);
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    server.close();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
