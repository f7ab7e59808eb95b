package io.warmpath.replica.cuda;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A running {@link CudaReplicaMain}, and what it wrote. */
final class CudaReplica implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path output;
  private final Process process;
  private final int port;

  private CudaReplica(ProcessBuilder jvm) throws IOException {
    output = Files.createTempFile("warmpath-replica-", ".log");
    process = jvm.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    port = Integer.parseInt(awaitLine("its port", line -> line.startsWith("port ")).substring(5));
  }

  /** One on the emulated GPU. */
  static CudaReplica start(Map<String, String> environment) throws IOException {
    return new CudaReplica(EmulatedGpu.jvm(environment, CudaReplicaMain.class, "cuda"));
  }

  /** A modelled one, on a machine without CUDA. */
  static CudaReplica startModelled() throws IOException {
    return new CudaReplica(EmulatedGpu.jvmWithoutDriver(CudaReplicaMain.class, "modelled"));
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body));
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  /** Asks for 8 tokens after a prompt. */
  HttpResponse<String> complete(String prompt, String... headers) throws Exception {
    return post("/v1/completions", "{\"prompt\":\"" + prompt + "\",\"max_tokens\":8}", headers);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Waits for a prefill event of its own that passes the test. */
  JsonNode awaitPrefill(Predicate<JsonNode> test) {
    String line =
        awaitLine(
            "a prefill event",
            each -> each.startsWith("events ") && prefill(each).filter(test).isPresent());
    return prefill(line).orElseThrow();
  }

  private static Optional<JsonNode> prefill(String line) {
    for (JsonNode event : json(line).get("events")) {
      if (event.get("type").asText().equals("prefill")) {
        return Optional.of(event);
      }
    }
    return Optional.empty();
  }

  JsonNode awaitTelemetry(Predicate<JsonNode> test) {
    return json(
        awaitLine("telemetry", line -> line.startsWith("telemetry ") && test.test(json(line))));
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line.substring(line.indexOf(' ')));
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  /** Waits for a line of its output. */
  String awaitLine(String what, Predicate<String> test) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      Optional<String> found = lines().stream().filter(test).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      assertTrue(process.isAlive(), () -> "ended without " + what + ":\n" + text());
      Thread.onSpinWait();
    }
    throw new AssertionError("no " + what + ":\n" + text());
  }

  /** Its whole lines so far. */
  List<String> lines() {
    String text = text();
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  String text() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor();
    Files.delete(output);
  }
}
