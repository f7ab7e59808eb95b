package io.warmpath.console;

import static io.warmpath.console.SampleResults.ALL;
import static io.warmpath.console.SampleResults.row;
import static io.warmpath.console.SampleResults.weights;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.console.state.HistoryDepth;
import io.warmpath.console.state.StateLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConsoleServerIT {

  private static final int MAX_STREAMS = 2;

  private final ScriptedSource source = new ScriptedSource();
  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();
  private ConsoleServer server;

  @BeforeEach
  void start() {
    server =
        ConsoleServer.start(
            new ConsoleConfig(Map.of(), "127.0.0.1", 0, MAX_STREAMS, StateLimits.DEFAULTS),
            source,
            Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<InputStream> open(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  private static BufferedReader lines(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** The data of the next event of this name. */
  private JsonNode next(BufferedReader lines, String event) throws IOException {
    String name = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("event: ")) {
        name = line.substring("event: ".length());
      } else if (line.startsWith("data: ") && name.equals(event)) {
        return json.readTree(line.substring("data: ".length()));
      }
    }
    throw new AssertionError("the stream ended before a " + event);
  }

  private static JsonNode total(JsonNode message) {
    return message.at("/view/models/0/windows/0/total");
  }

  @Test
  void servesThePageWithAllOfItsFilesAndNoOtherHost() throws Exception {
    HttpResponse<String> page = get("/");
    assertEquals(200, page.statusCode());
    assertTrue(page.headers().firstValue("content-security-policy").orElse("").contains("'none'"));

    Matcher files = Pattern.compile("(?:src|href)=\"([^\"#]+)\"").matcher(page.body());
    int found = 0;
    while (files.find()) {
      assertTrue(files.group(1).matches("[a-z]+\\.[a-z]+"), files.group(1));
      HttpResponse<String> file = get("/" + files.group(1));
      assertEquals(200, file.statusCode(), files.group(1));
      assertTrue(!file.body().isBlank(), files.group(1));
      found++;
    }
    assertTrue(found >= 3);
    for (String script : new String[] {"/console.js", "/draw.js", "/format.js"}) {
      String body = get(script).body();
      assertTrue(!body.contains("innerHTML") && !body.contains("insertAdjacentHTML"), script);
    }
  }

  @Test
  void streamsASnapshotFirstAndThenUpdates() throws Exception {
    long now = System.currentTimeMillis();
    for (int i = 200; i > 0; i--) {
      source.publish(row(ALL, ALL, 10_000, now - i * 1_000L, 5, 100_000));
    }
    try (BufferedReader lines = lines(open("/events"))) {
      JsonNode snapshot = next(lines, "snapshot");
      assertEquals("reading", snapshot.get("source").asText());
      assertEquals(200, snapshot.at("/view/models/0/history").size());
      assertEquals(5, total(snapshot).get("requests").asInt());

      source.publish(row(ALL, ALL, 10_000, now, 6, 100_000));
      JsonNode update = next(lines, "update");
      while (total(update).get("requests").asInt() != 6) {
        update = next(lines, "update");
      }
      assertEquals(HistoryDepth.RECENT.fleetPoints(), update.at("/view/models/0/history").size());
    }
  }

  @Test
  void givesAPageThatReconnectsASnapshotAgain() throws Exception {
    source.publish(row(ALL, ALL, 10_000, System.currentTimeMillis(), 5, 100_000));
    for (int connection = 0; connection < 2 * MAX_STREAMS; connection++) {
      try (BufferedReader lines = lines(openWhenFree())) {
        assertEquals(5, total(next(lines, "snapshot")).get("requests").asInt());
      }
    }
  }

  /** A stream that was closed frees its place as soon as the server has seen it. */
  private HttpResponse<InputStream> openWhenFree() throws IOException, InterruptedException {
    HttpResponse<InputStream> response = open("/events");
    while (response.statusCode() == 503) {
      response.body().close();
      response = open("/events");
    }
    return response;
  }

  @Test
  void refusesMorePagesThanItsBound() throws Exception {
    try (BufferedReader first = lines(open("/events"));
        BufferedReader second = lines(open("/events"))) {
      next(first, "snapshot");
      next(second, "snapshot");
      assertEquals(503, get("/events").statusCode());
      assertTrue(get("/metrics").body().contains("warmpath_console_open_pages 2"));
    }
  }

  @Test
  void servesStateAndMetrics() throws Exception {
    long now = System.currentTimeMillis();
    source.publish(row(ALL, "replica-0", 10_000, now, 5, 100_000));
    source.publish(row(ALL, ALL, 10_000, now, 5, 100_000));
    source.publish(weights(now, 1.25, 0.75));
    source.publishUnreadable();

    JsonNode state = json.readTree(get("/api/state").body());
    assertEquals(1.25, state.at("/view/models/0/windows/0/replicas/0/weight/weight").asDouble());
    assertEquals("active", state.at("/view/models/0/windows/0/replicas/0/weight/state").asText());
    assertEquals(1, state.at("/view/invalid_records").asInt());

    HttpResponse<String> metrics = get("/metrics");
    assertEquals(
        "text/plain; version=0.0.4; charset=utf-8",
        metrics.headers().firstValue("content-type").orElseThrow());
    assertTrue(metrics.body().contains("warmpath_console_invalid_records_total 1"));
  }

  @Test
  void isHealthyOnlyWhileItCanRead() throws Exception {
    assertEquals(200, get("/health").statusCode());
    source.lose();
    HttpResponse<String> health = get("/health");
    assertEquals(503, health.statusCode());
    assertEquals("{\"source\":\"connecting\"}", health.body());
  }

  @Test
  void saysWhereItCannotListen() {
    ConsoleConfig taken = ConsoleConfig.of("unused:9092", "127.0.0.1", server.port());

    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> ConsoleServer.start(taken, new ScriptedSource(), Clock.systemUTC()));

    assertTrue(refused.getMessage().contains("127.0.0.1:" + server.port()));
  }
}
