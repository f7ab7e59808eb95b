package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.Routed;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that come through. */
class AnswerTest {

  private FakeReplica replica;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    balancer = TestBalancer.inFrontOf(replica);
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void forwardsAStreamWithoutTheUsageThatTheClientDidNotAskFor() throws Exception {
    HttpResponse<String> response = balancer.chat(true);

    assertEquals(200, response.statusCode());
    assertEquals(Chunks.ANSWER, response.body());
    assertTrue(replica.nextRequest().body().contains("\"include_usage\":true"));
    Finished finished = balancer.finished();
    assertEquals(Outcome.OK, finished.outcome());
    assertEquals(200, finished.status());
    assertEquals(16L, finished.cachedTokens());
    assertEquals(2, finished.outputTokens());
    assertEquals(23, finished.facts().promptTokens());
    assertTrue(finished.facts().promptTokensExact());
    assertNotNull(finished.ttftUs());
    assertTrue(finished.ttftUs() <= finished.e2eUs());
    assertTrue(finished.firstByteUs() <= finished.ttftUs());
  }

  @Test
  void forwardsTheUsageThatTheClientAskedFor() throws Exception {
    String body =
        TestBalancer.chatBody(true)
            .replace("{\"model\"", "{\"stream_options\":{\"include_usage\":true},\"model\"");
    assertEquals(Chunks.ANSWER_WITH_USAGE, balancer.post("/v1/chat/completions", body).body());
    assertEquals(body, replica.nextRequest().body());
  }

  @Test
  void forwardsAStreamThatComesByteByByte() throws Exception {
    replica.behave(
        answer -> {
          answer.stream();
          for (byte b : Chunks.ANSWER_WITH_USAGE.getBytes(StandardCharsets.UTF_8)) {
            answer.send(new byte[] {b});
          }
          answer.end();
        });
    assertEquals(Chunks.ANSWER, balancer.chat(true).body());
    assertEquals(Outcome.OK, balancer.finished().outcome());
  }

  @Test
  void tellsARequestFromDecisionToEnd() throws Exception {
    balancer.chat(
        true,
        "x-request-id",
        "req-1",
        "x-session-id",
        "alice",
        "traceparent",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    balancer.finished();

    Routed routed = balancer.events(Routed.class).get(0);
    assertEquals("req-1", routed.context().requestId());
    assertEquals("replica-0", routed.context().replica());
    assertEquals("round_robin", routed.context().policy());
    assertEquals("0af7651916cd43dd8448eb211c80319c", routed.context().traceId());
    assertNotNull(routed.prefix());
    assertEquals(16, routed.context().session().length());
    assertFalse(routed.context().session().contains("alice"));
    FirstToken first = balancer.events(FirstToken.class).get(0);
    assertEquals(routed.facts(), first.facts());
    assertEquals(1, balancer.events(FirstToken.class).size());
  }

  @Test
  void marksItsAnswersAndRequests() throws Exception {
    HttpResponse<String> response = balancer.chat(true, "x-request-id", "req-2");

    assertEquals("req-2", response.headers().firstValue("x-request-id").orElse(""));
    assertEquals("round_robin", response.headers().firstValue("x-warmpath-policy").orElse(""));
    assertEquals("replica-0", response.headers().firstValue("x-warmpath-replica").orElse(""));
    assertEquals("fake", response.headers().firstValue("x-engine").orElse(""));
    assertTrue(response.headers().firstValue("x-hop").isEmpty());
    FakeReplica.Request request = replica.nextRequest();
    assertEquals("req-2", request.headers().get("x-request-id"));
    assertEquals("round_robin", request.headers().get("x-warmpath-policy"));
  }

  @Test
  void makesARequestIdWhereTheClientsIsNotFit() throws Exception {
    HttpResponse<String> response = balancer.chat(true, "x-request-id", "a b\"c");
    String id = response.headers().firstValue("x-request-id").orElse("");
    assertTrue(id.matches("[0-9a-f-]{20,}"), id);
    assertEquals(id, balancer.finished().context().requestId());
  }

  @Test
  void readsTheUsageOfABodyThatDoesNotStream() throws Exception {
    replica.behave(answer -> answer.json(200, Chunks.JSON_ANSWER));
    HttpResponse<String> response = balancer.chat(false);

    assertEquals(Chunks.JSON_ANSWER, response.body());
    Finished finished = balancer.finished();
    assertEquals(Outcome.OK, finished.outcome());
    assertFalse(finished.context().stream());
    assertNull(finished.ttftUs());
    assertEquals(16L, finished.cachedTokens());
    assertEquals(TestBalancer.chatBody(false), replica.nextRequest().body());
  }

  @Test
  void takesAnAnswerWithoutUsageForOneOfUnknownHits() throws Exception {
    replica.behave(answer -> answer.stream().send(Chunks.ANSWER).end());
    balancer.chat(true);
    Finished finished = balancer.finished();
    assertNull(finished.cachedTokens());
    assertFalse(finished.facts().promptTokensExact());
    assertEquals(2, finished.outputTokens());
  }

  @Test
  void passesErrorsOfTheEngineOn() throws Exception {
    replica.behave(answer -> answer.json(400, "{\"error\":{\"message\":\"too long\"}}"));
    HttpResponse<String> response = balancer.chat(true);
    assertEquals(400, response.statusCode());
    assertEquals("{\"error\":{\"message\":\"too long\"}}", response.body());
    assertEquals(Outcome.REJECTED, balancer.finished().outcome());
    assertEquals("replica-0", balancer.finished().context().replica());
  }

  @Test
  void takesAnErrorInAStreamForAFailure() throws Exception {
    String stream = Chunks.ROLE + "data: {\"error\":{\"message\":\"oom\"}}\n\n";
    replica.behave(answer -> answer.stream().send(stream).end());
    assertEquals(stream, balancer.chat(true).body());
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
  }

  @Test
  void passesModelsAndEmbeddingsThrough() throws Exception {
    replica.behave(answer -> answer.json(200, "{\"object\":\"list\"}"));
    assertEquals("{\"object\":\"list\"}", balancer.get("/v1/models").body());
    assertEquals("/v1/models", replica.nextRequest().uri());
    String body = "{\"model\":\"" + TestBalancer.MODEL + "\",\"input\":[\"a\",\"b\"]}";
    assertEquals("{\"object\":\"list\"}", balancer.post("/v1/embeddings", body).body());
    assertEquals(body, replica.nextRequest().body());
    assertEquals(Outcome.OK, balancer.finished().outcome());
  }

  @Test
  void usesConnectionsToTheReplicaAgain() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertEquals(Chunks.ANSWER, balancer.chat(true).body());
    }
    assertEquals(1, replica.connections());
  }

  @Test
  void countsWhatItDid() throws Exception {
    balancer.chat(true);
    balancer.finished();
    String labels = "{model=\"warmpath-demo\",policy=\"round_robin\",replica=\"replica-0\"";
    assertEquals(
        "warmpath_balancer_requests_total" + labels + ",outcome=\"ok\"} 1",
        balancer.metric("warmpath_balancer_requests_total"));
    assertEquals(
        "gen_ai_server_time_to_first_token_seconds_count" + labels + "} 1",
        balancer.metric("gen_ai_server_time_to_first_token_seconds_count"));
    Eventually.until("no open request", balancer::idle);
  }
}
