package io.warmpath.balancer.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.balancer.security.Secret;
import io.warmpath.balancer.upstream.HealthSettings;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private FakeReplica replica;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    HealthSettings quick =
        new HealthSettings(Duration.ofMillis(20), Duration.ofSeconds(1), 2, Duration.ofMillis(100));
    balancer = TestBalancer.with(config -> config.health(quick), replica);
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void isHealthyWhileItServes() throws Exception {
    assertEquals(200, balancer.admin("/health").statusCode());
  }

  @Test
  void listsTheReplicas() throws Exception {
    JsonNode page = replicas();
    assertEquals("round_robin", page.path("policy").asText());
    assertEquals(TestBalancer.MODEL, page.path("model").asText());
    assertEquals(0, page.path("weights_epoch").asLong());
    JsonNode first = page.path("replicas").path(0);
    assertEquals("replica-0", first.path("name").asText());
    assertEquals(replica.url().toString(), first.path("url").asText());
    assertEquals(1.0, first.path("weight").asDouble());
    assertEquals(0, first.path("in_flight").asInt());
    assertEquals("up", first.path("state").asText());
  }

  @Test
  void changesThePolicyOfNewRequests() throws Exception {
    HttpResponse<String> changed =
        balancer.adminPost("/admin/policy", "{\"policy\":\"prefix_affinity\"}");
    assertEquals(200, changed.statusCode());
    balancer.chat(true);
    assertEquals("prefix_affinity", balancer.finished().context().policy());
  }

  @Test
  void refusesUnknownPolicies() throws Exception {
    HttpResponse<String> refused = balancer.adminPost("/admin/policy", "{\"policy\":\"best\"}");
    assertEquals(400, refused.statusCode());
    assertTrue(refused.body().contains("adaptive"), refused.body());
    assertEquals(400, balancer.adminPost("/admin/policy", "{").statusCode());
    assertEquals(400, balancer.adminPost("/admin/policy", "{}").statusCode());
    assertEquals(404, balancer.admin("/admin/unknown").statusCode());
    assertEquals("round_robin", replicas().path("policy").asText());
  }

  @Test
  void writesMetricsThatPrometheusCanRead() throws Exception {
    balancer.chat(true);
    balancer.finished();
    String page = balancer.admin("/metrics").body();
    Pattern sample =
        Pattern.compile("([a-z_]+)(\\{([a-z_]+=\"[^\"]*\",?)+})? [0-9.E+-]+(\\.[0-9]+)?");
    Map<String, String> types = new HashMap<>();
    for (String line : page.lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        String[] words = line.split(" ");
        assertEquals(null, types.put(words[2], words[3]), line);
      } else if (!line.startsWith("# HELP ")) {
        assertTrue(sample.matcher(line).matches(), line);
        String name = line.split("[{ ]")[0].replaceAll("_(bucket|sum|count)$", "");
        assertTrue(types.containsKey(name), line);
        assertEquals(name.endsWith("_total"), types.get(name).equals("counter"), line);
      }
    }
  }

  /** Without health checks, which would find out before a request does. */
  @Test
  void countsTheConnectionsToAReplica() throws Exception {
    try (TestBalancer unchecked = TestBalancer.inFrontOf(replica)) {
      unchecked.chat(true);
      unchecked.chat(true);
      Eventually.until("given back", () -> connections(unchecked, "idle").equals("1"));
      assertEquals("0", connections(unchecked, "busy"));
      assertEquals("1", ofReplica(unchecked, "connects_total", "result", "made"));
      replica.behave(answer -> answer.stream().send(Chunks.ROLE));
      CompletableFuture<HttpResponse<String>> open = unchecked.chatLater(true);
      Eventually.until("one is in use", () -> connections(unchecked, "busy").equals("1"));
      assertEquals("0", connections(unchecked, "idle"));
      replica.close();
      open.handle((answer, failure) -> null).join();
      Eventually.until("none is left", () -> connections(unchecked, "busy").equals("0"));
      assertEquals("0", connections(unchecked, "idle"));
      unchecked.chat(true);
      assertEquals("1", ofReplica(unchecked, "connects_total", "result", "failed"));
    }
  }

  private static String connections(TestBalancer balancer, String state) {
    return ofReplica(balancer, "connections", "state", state);
  }

  /** The value of a metric of connections to the replica, with one more label. */
  private static String ofReplica(
      TestBalancer balancer, String metric, String label, String value) {
    String start =
        "warmpath_balancer_upstream_%s{model=\"%s\",replica=\"replica-0\",%s=\"%s\"}"
            .formatted(metric, TestBalancer.MODEL, label, value);
    try {
      String line = balancer.metric(start);
      return line.substring(line.lastIndexOf(' ') + 1);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void needsTheTokenForWhatIsBelowAdmin() throws Exception {
    String token = "0123456789abcdef";
    try (TestBalancer guarded =
        TestBalancer.with(config -> config.adminToken(Secret.of(token)), replica)) {
      assertEquals(401, guarded.admin("/admin/replicas").statusCode());
      assertEquals(401, guarded.admin("/admin/replicas", "Bearer " + token + "0").statusCode());
      assertEquals(401, guarded.adminPost("/admin/policy", "{}").statusCode());
      assertEquals(401, guarded.admin("/metrics/../admin/replicas").statusCode());
      assertEquals(200, guarded.admin("/admin/replicas", "Bearer " + token).statusCode());
      assertEquals(200, guarded.admin("/health").statusCode());
      assertEquals(200, guarded.admin("/metrics").statusCode());
    }
  }

  @Test
  void asksForTheTokenBeforeTheBody() throws Exception {
    try (TestBalancer guarded =
            TestBalancer.with(config -> config.adminToken(Secret.of("0123456789abcdef")), replica);
        RawClient client = new RawClient(guarded.adminPort())) {
      client.send("POST /admin/policy HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n{");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 401 "));
    }
  }

  @Test
  void waitsForNoRequestForLong() throws Exception {
    Duration soon = Duration.ofMillis(50);
    try (TestBalancer hasty =
            TestBalancer.with(
                config -> config.receiveTimeouts(new ReceiveTimeouts(soon, soon, soon)), replica);
        RawClient silent = new RawClient(hasty.adminPort());
        RawClient slowHead = new RawClient(hasty.adminPort());
        RawClient slowBody = new RawClient(hasty.adminPort());
        RawClient answered = new RawClient(hasty.adminPort())) {
      slowHead.send("GET /heal");
      slowBody.send("POST /admin/policy HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n{");
      answered.send("GET /health HTTP/1.1\r\nhost: x\r\n\r\n");
      for (RawClient client : List.of(silent, slowHead, slowBody)) {
        assertEquals("", client.readToEnd());
      }
      assertTrue(answered.readToEnd().startsWith("HTTP/1.1 200 "));
    }
  }

  @Test
  void refusesBodiesThatAreTooLarge() throws Exception {
    try (RawClient client = new RawClient(balancer.adminPort())) {
      client.send("POST /admin/policy HTTP/1.1\r\nhost: x\r\ncontent-length: 70000\r\n\r\n");
      assertTrue(client.readHead().startsWith("HTTP/1.1 413 "));
    }
  }

  @Test
  void noticesAReplicaThatGoes() {
    replica.close();
    Eventually.until("down", () -> state().equals("down"));
  }

  private String state() {
    try {
      return replicas().path("replicas").path(0).path("state").asText();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private JsonNode replicas() throws Exception {
    return JSON.readTree(balancer.admin("/admin/replicas").body());
  }
}
