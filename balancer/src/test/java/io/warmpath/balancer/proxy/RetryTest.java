package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.Routed;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is tried again on another replica, and what is not. */
class RetryTest {

  private static final String ERROR = "data: {\"error\":{\"message\":\"oom\"}}\n\n";

  private FakeReplica bad;
  private FakeReplica good;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    bad = new FakeReplica(answer -> answer.stream().send(ERROR).end());
    good = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    balancer = TestBalancer.inFrontOf(bad, good);
  }

  @AfterEach
  void stop() {
    Eventually.until("no open request", balancer::idle);
    balancer.close();
    bad.close();
    good.close();
  }

  @Test
  void triesAgainWhenTheFirstEventIsAnError() throws Exception {
    assertRetried("error_in_stream");
    assertEquals(1, balancer.events(FirstToken.class).size());
  }

  @Test
  void triesAgainWhenTheErrorComesByteByByte() throws Exception {
    bad.behave(
        answer -> {
          answer.stream();
          for (int i = 0; i < ERROR.length(); i++) {
            answer.send(ERROR.substring(i, i + 1));
          }
          answer.end();
        });
    assertRetried("error_in_stream");
  }

  @Test
  void triesAgainWhenAStreamBreaksBeforeItsFirstEvent() throws Exception {
    bad.behave(
        answer -> {
          answer.stream().send("data: {\"cho");
          answer.die();
        });
    assertRetried("connection_lost");
  }

  @Test
  void triesAgainWhenTheReplicaHasTooMuchToDo() throws Exception {
    bad.behave(answer -> answer.json(429, "{}"));
    assertRetried("status_429");
    assertEquals("up", state());
  }

  @Test
  void leavesAReplicaAloneForAsLongAsItAsks() throws Exception {
    String head = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n";
    bad.behave(answer -> answer.raw(head));
    assertRetried("status_429");
    assertEquals("busy", state());
    for (int i = 0; i < 3; i++) {
      assertEquals(Chunks.ANSWER, balancer.chat(true).body());
    }
    assertEquals(1, balancer.events(AttemptFailed.class).size());
  }

  private void assertRetried(String reason) throws Exception {
    HttpResponse<String> response = balancer.chat(true);

    assertEquals(200, response.statusCode());
    assertEquals(Chunks.ANSWER, response.body());
    assertEquals(reason, balancer.events(AttemptFailed.class).get(0).reason());
    Finished finished = balancer.finished();
    assertEquals(Outcome.OK, finished.outcome());
    assertEquals(1, finished.retries());
    assertEquals("replica-1", finished.context().replica());
  }

  private String state() throws Exception {
    String line =
        balancer
            .admin("/metrics")
            .body()
            .lines()
            .filter(l -> l.startsWith("warmpath_balancer_replica_state{"))
            .filter(l -> l.contains("replica-0") && l.endsWith(" 1"))
            .findFirst()
            .orElseThrow();
    return line.replaceAll(".*state=\"([a-z_]+)\".*", "$1");
  }

  @ParameterizedTest
  @ValueSource(strings = {": ping\n\n", "data: {\"choices\":[]}\n\n"})
  void passesAnErrorOnThatComesAfterOtherBytes(String before) throws Exception {
    bad.behave(
        answer -> {
          answer.stream().send(before);
          answer.send(ERROR).end();
        });
    try (RawClient client = RawClient.chat(balancer.port(), true, 0)) {
      client.readUntil(before);
      client.readUntil(ERROR);
      // A client that leaves before the end has left, whatever came before.
      client.readUntil("0\r\n\r\n");
    }
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
    assertEquals(0, balancer.finished().retries());
  }

  @Test
  void passesTheLastErrorOnAsItCame() throws Exception {
    good.behave(answer -> answer.stream().send(ERROR).end());
    HttpResponse<String> response = balancer.chat(true);
    assertEquals(200, response.statusCode());
    assertEquals(ERROR, response.body());
    assertEquals(1, balancer.finished().retries());
    assertEquals(2, balancer.events(AttemptFailed.class).size());
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
  }

  @Test
  void answers502WhenNoOtherReplicaIsLeftForAStreamThatNeverBegan() throws Exception {
    bad.behave(
        answer -> {
          answer.stream();
          answer.die();
        });
    good.behave(FakeReplica.Answer::die);
    assertEquals(502, balancer.chat(true).statusCode());
    assertEquals(502, balancer.finished().status());
  }

  @Test
  void stopsWhenTheBudgetIsUsedUp() throws Exception {
    bad.behave(answer -> answer.json(503, "{}"));
    RetryBudget.Settings two = new RetryBudget.Settings(0, 2, Duration.ofHours(1));
    try (TestBalancer strict = TestBalancer.with(config -> config.retryBudget(two), bad, good)) {
      int passedOn = 0;
      for (int i = 0; i < 8; i++) {
        passedOn += strict.chat(true).statusCode() == 503 ? 1 : 0;
      }
      assertEquals(8 + 2, strict.events(Routed.class).size());
      assertTrue(passedOn > 0);
      assertEquals(
          "warmpath_balancer_retries_refused_total{model=\"warmpath-demo\"} " + passedOn,
          strict.metric("warmpath_balancer_retries_refused_total"));
    }
  }

  @Test
  void waitsForASecondAnswerAsLongAsForAFirst() throws Exception {
    bad.behave(answer -> answer.json(503, "{}"));
    good.behave(answer -> {});
    Timeouts timeouts =
        new Timeouts(Duration.ofMinutes(1), Duration.ofMillis(20), Duration.ofMillis(300));
    try (TestBalancer hasty = TestBalancer.with(config -> config.timeouts(timeouts), bad, good)) {
      assertTrue(hasty.chat(false).body().contains("\"total_timeout\""));
    }
  }

  @Test
  void answers504WhenAHeadCameButNoEvent() throws Exception {
    bad.behave(FakeReplica.Answer::stream);
    Timeouts timeouts =
        new Timeouts(Duration.ofMillis(50), Duration.ofSeconds(9), Duration.ofSeconds(9));
    try (TestBalancer hasty = TestBalancer.with(config -> config.timeouts(timeouts), bad, good)) {
      assertEquals(504, hasty.chat(true).statusCode());
      assertEquals(Outcome.TIMEOUT, hasty.finished().outcome());
      assertEquals(504, hasty.finished().status());
      Eventually.until("upstream closed", () -> bad.closedConnections() == 1);
      Eventually.until("no open request", hasty::idle);
    }
  }

  @Test
  void asksNobodyElseWhenTheClientLeavesBeforeTheFirstEvent() throws Exception {
    bad.behave(FakeReplica.Answer::stream);
    try (RawClient client = RawClient.chat(balancer.port(), true, 0)) {
      bad.nextRequest();
    }
    assertEquals(Outcome.CLIENT_ABORT, balancer.finished().outcome());
    assertEquals(0, balancer.finished().status());
    Eventually.until("upstream closed", () -> bad.closedConnections() == 1);
    assertEquals(0, good.connections());
  }
}
