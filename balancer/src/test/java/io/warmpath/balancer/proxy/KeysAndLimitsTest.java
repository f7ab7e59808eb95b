package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.Sha256;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.security.ApiKeys;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeysAndLimitsTest {

  /** Of {@code key-a} and {@code key-b}. */
  private static final ApiKeys KEYS =
      ApiKeys.parse(
          "team-a sha256:KEY_A\nteam-b sha256:KEY_B\n"
              .replace("KEY_A", Sha256.hex("key-a"))
              .replace("KEY_B", Sha256.hex("key-b")));

  private final FakeReplica replica =
      new FakeReplica(answer -> answer.json(200, Chunks.JSON_ANSWER));
  private TestBalancer balancer;

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void servesHoldersOfKeysAndNamesThemInEvents() throws Exception {
    start(config -> config.apiKeys(KEYS));
    assertEquals(200, balancer.chat(false, "authorization", "Bearer key-a").statusCode());
    assertEquals("team-a", balancer.finished().context().tenant());
    assertFalse(replica.nextRequest().headers().containsKey("authorization"));
  }

  @Test
  void refusesOthersAsOpenAiDoes() throws Exception {
    start(config -> config.apiKeys(KEYS));
    for (HttpResponse<String> refused :
        List.of(
            balancer.chat(false),
            balancer.chat(false, "authorization", "Bearer key-c"),
            balancer.get("/v1/models"))) {
      assertEquals(401, refused.statusCode());
      assertEquals("Bearer", refused.headers().firstValue("www-authenticate").orElseThrow());
      assertEquals(
          "invalid_api_key",
          new ObjectMapper().readTree(refused.body()).at("/error/code").asText());
    }
    assertEquals(0, replica.waitingRequests());
    assertEquals(
        "warmpath_balancer_refused_total{reason=\"invalid_api_key\"} 3",
        balancer.metric("warmpath_balancer_refused_total"));
  }

  @Test
  void passesTheAuthorizationOnWhereNoKeysAreNeeded() throws Exception {
    start(config -> config);
    balancer.chat(false, "authorization", "Bearer theirs");
    assertEquals("Bearer theirs", replica.nextRequest().headers().get("authorization"));
  }

  @Test
  void boundsTheRequestsThatAreOpen() throws Exception {
    start(config -> config.limits(new Limits(1000, 4096, 100, 1, 0)));
    replica.behave(answer -> answer.stream().send(Chunks.ROLE));
    try (RawClient open = RawClient.chat(balancer.port(), true, 0)) {
      open.readUntil(Chunks.ROLE);
      HttpResponse<String> refused = balancer.chat(true);
      assertEquals(503, refused.statusCode());
      assertEquals("1", refused.headers().firstValue("retry-after").orElseThrow());
    }
    replica.behave(answer -> answer.json(200, Chunks.JSON_ANSWER));
    Eventually.until("room for another", () -> status() == 200);
    assertEquals(200, status());
  }

  @Test
  void boundsTheBodiesOfAllRequests() throws Exception {
    start(config -> config.limits(new Limits(100_000, 4096, 100, 9, 0, 9, 200_000, 9)));
    String body = TestBalancer.chatBody(false, "x".repeat(90_000));
    try (RawClient one = new RawClient(balancer.port());
        RawClient two = new RawClient(balancer.port())) {
      for (RawClient client : List.of(one, two)) {
        client.send("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n");
        client.send("content-length: " + body.length() + "\r\n\r\n" + body.substring(1000));
      }
      Eventually.until("both bodies are here", () -> heldBytes() == 2.0 * body.length());

      HttpResponse<String> refused =
          balancer.post("/v1/chat/completions", body.replace("xxx", "yyy"));
      assertEquals(503, refused.statusCode());
      assertEquals("1", refused.headers().firstValue("retry-after").orElseThrow());
      assertEquals(
          "warmpath_balancer_refused_total{reason=\"buffers_full\"} 1",
          balancer.metric("warmpath_balancer_refused_total"));
      assertEquals(200, balancer.chat(false).statusCode());
    }
    Eventually.until("their memory is free", () -> heldBytes() == 0);
    assertEquals(200, balancer.post("/v1/chat/completions", body).statusCode());
  }

  @Test
  void keepsNoBodyOnceItsAnswerBegan() throws Exception {
    start(config -> config);
    replica.behave(answer -> answer.stream().send(Chunks.ROLE));
    try (RawClient open = RawClient.chat(balancer.port(), true, 0)) {
      open.readUntil(Chunks.ROLE);
      assertEquals(0, heldBytes());
    }
  }

  private double heldBytes() {
    try {
      String name = "warmpath_balancer_buffered_body_bytes ";
      return Double.parseDouble(balancer.metric(name).substring(name.length()));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void boundsTheRequestsOfAHolder() throws Exception {
    start(config -> config.apiKeys(KEYS).limits(new Limits(1000, 4096, 100, 9, 1)));
    replica.behave(answer -> answer.stream().send(Chunks.ROLE));
    try (RawClient open = new RawClient(balancer.port())) {
      String body = TestBalancer.chatBody(true);
      open.send(
          "POST /v1/chat/completions HTTP/1.1\r\nauthorization: Bearer key-a\r\ncontent-length: "
              + body.length()
              + "\r\n\r\n"
              + body);
      open.readUntil(Chunks.ROLE);
      HttpResponse<String> refused = balancer.chat(false, "authorization", "Bearer key-a");
      assertEquals(429, refused.statusCode());
      assertEquals("1", refused.headers().firstValue("retry-after").orElseThrow());
      replica.behave(answer -> answer.json(200, Chunks.JSON_ANSWER));
      assertEquals(200, balancer.chat(false, "authorization", "Bearer key-b").statusCode());
    }
    Eventually.until("room for another", () -> status("authorization", "Bearer key-a") == 200);
  }

  @Test
  void boundsTheNumberOfHeaders() throws Exception {
    start(config -> config.limits(new Limits(1000, 4096, 3, 9, 0)));
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("GET /v1/models HTTP/1.1\r\na: 1\r\nb: 1\r\nc: 1\r\nd: 1\r\n\r\n");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 431 "));
    }
  }

  @Test
  void waitsForNoHeadForLong() throws Exception {
    start(config -> config.receiveTimeouts(millis(50, 60_000, 60_000)));
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("POST /v1/chat/completions HTTP/1.1\r\nho");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 408 "));
    }
  }

  @Test
  void waitsForNoBodyForLong() throws Exception {
    start(config -> config.receiveTimeouts(millis(60_000, 50, 60_000)));
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 408 "));
    }
  }

  @Test
  void closesConnectionsThatAskForNothing() throws Exception {
    start(config -> config.receiveTimeouts(millis(50, 60_000, 50)));
    try (RawClient client = new RawClient(balancer.port())) {
      assertEquals("", client.readToEnd());
    }
    try (RawClient client = RawClient.chat(balancer.port(), false, 0)) {
      assertTrue(client.readToEnd().endsWith(Chunks.JSON_ANSWER));
    }
  }

  /** As long as the client waits for its answer it need not send anything. */
  @Test
  void hurriesNoClientThatIsBeingAnswered() throws Exception {
    start(config -> config.receiveTimeouts(millis(20, 20, 20)));
    replica.behave(
        answer -> {
          answer.stream().send(Chunks.ROLE);
          answer.after(Duration.ofMillis(200), () -> answer.send(Chunks.ANSWER_WITH_USAGE).end());
        });
    try (RawClient client = RawClient.chat(balancer.port(), true, 0)) {
      assertTrue(client.readUntil("[DONE]").contains("leigh"));
    }
  }

  private void start(UnaryOperator<BalancerConfig.Builder> settings) {
    balancer = TestBalancer.with(settings, replica);
  }

  private int status(String... headers) {
    try {
      return balancer.chat(false, headers).statusCode();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static ReceiveTimeouts millis(long header, long body, long keepAlive) {
    return new ReceiveTimeouts(
        Duration.ofMillis(header), Duration.ofMillis(body), Duration.ofMillis(keepAlive));
  }
}
