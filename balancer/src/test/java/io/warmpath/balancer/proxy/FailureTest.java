package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.Routed;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas that fail: what the client sees, and what is said of it. */
class FailureTest {

  /** The beginning of an answer. */
  private static final String ERROR_BEGUN =
      "HTTP/1.1 500 Oops\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{";

  private FakeReplica bad;
  private FakeReplica good;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    bad = new FakeReplica(answer -> answer.die());
    good = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    balancer = TestBalancer.inFrontOf(bad, good);
  }

  @AfterEach
  void stop() {
    // However a request ends, nothing of it stays open.
    Eventually.until("no open request", balancer::idle);
    balancer.close();
    bad.close();
    good.close();
  }

  @Test
  void retriesElsewhereWhenNoConnectionCanBeMade() throws Exception {
    bad.close();
    assertRetried("connect_failed");
    assertEquals(Chunks.ANSWER, balancer.chat(true).body());
    assertEquals(1, balancer.events(AttemptFailed.class).size(), "the replica is ejected");
  }

  @Test
  void retriesElsewhereWhenTheConnectionIsLostBeforeTheAnswer() throws Exception {
    assertRetried("connection_lost");
  }

  @Test
  void retriesElsewhereWhenTheReplicaIsUnavailable() throws Exception {
    for (int status : new int[] {502, 503, 504}) {
      bad.behave(answer -> answer.json(status, "{}"));
      try (TestBalancer own = TestBalancer.inFrontOf(bad, good)) {
        assertEquals(Chunks.ANSWER, own.chat(true).body());
        assertEquals("status_" + status, own.events(AttemptFailed.class).get(0).reason());
        assertEquals(1, own.finished().retries());
      }
    }
  }

  private void assertRetried(String reason) throws IOException, InterruptedException {
    HttpResponse<String> response = balancer.chat(true);

    assertEquals(200, response.statusCode());
    assertEquals(Chunks.ANSWER, response.body());
    assertEquals("replica-1", response.headers().firstValue("x-warmpath-replica").orElse(""));
    AttemptFailed failed = balancer.events(AttemptFailed.class).get(0);
    assertEquals(reason, failed.reason());
    assertEquals("replica-0", failed.context().replica());
    assertEquals(0, failed.context().attempt());
    Finished finished = balancer.finished();
    assertEquals(Outcome.OK, finished.outcome());
    assertEquals("replica-1", finished.context().replica());
    assertEquals(1, finished.context().attempt());
    assertEquals(1, finished.retries());
    assertEquals(
        List.of(0, 1),
        balancer.events(Routed.class).stream().map(r -> r.context().attempt()).toList());
  }

  @Test
  void passesTheLastRefusalOnWhenThereIsNoOtherReplica() throws Exception {
    bad.behave(answer -> answer.json(503, "{\"error\":\"a\"}"));
    good.behave(answer -> answer.json(503, "{\"error\":\"b\"}"));
    HttpResponse<String> response = balancer.chat(true);
    assertEquals(503, response.statusCode());
    assertEquals("{\"error\":\"b\"}", response.body());
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
    assertEquals(2, balancer.events(AttemptFailed.class).size());
  }

  @Test
  void answers502WhenEveryAttemptFails() throws Exception {
    good.behave(FakeReplica.Answer::die);
    assertEquals(502, balancer.chat(true).statusCode());
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
    assertEquals(502, balancer.finished().status());
  }

  @Test
  void retriesNoMoreOftenThanAllowed() throws Exception {
    good.behave(FakeReplica.Answer::die);
    try (TestBalancer strict = TestBalancer.with(config -> config.maxRetries(0), bad, good)) {
      assertEquals(502, strict.chat(true).statusCode());
      assertEquals(0, strict.finished().retries());
      assertEquals(1, strict.events(Routed.class).size());
    }
  }

  @Test
  void answers503AtOnceWhenNoReplicaIsLeft() throws Exception {
    bad.close();
    good.close();
    balancer.chat(true);
    HttpResponse<String> response = balancer.chat(true);

    assertEquals(503, response.statusCode());
    assertEquals("1", response.headers().firstValue("retry-after").orElse(""));
    List<Finished> finished = balancer.events(Finished.class);
    assertEquals(2, finished.size());
    assertEquals(Outcome.REJECTED, finished.get(1).outcome());
    assertNull(finished.get(1).context().replica());
  }

  @Test
  void endsAStreamThatBreaksOffWithOneErrorEvent() throws Exception {
    bad.behave(
        answer -> {
          answer.stream().send(Chunks.ROLE + Chunks.content("Ray") + "data: {\"cho");
          answer.die();
        });
    HttpResponse<String> response = balancer.chat(true);

    String begun = Chunks.ROLE + Chunks.content("Ray");
    assertTrue(response.body().startsWith(begun + "data: {\"error\":{"), response.body());
    assertTrue(response.body().endsWith("}}\n\n"));
    assertEquals(1, response.body().split("\"error\"", -1).length - 1);
    Finished finished = balancer.finished();
    assertEquals(Outcome.UPSTREAM_ERROR, finished.outcome());
    assertEquals(200, finished.status());
    assertNotNull(finished.ttftUs());
    assertEquals("connection_lost", balancer.events(AttemptFailed.class).get(0).reason());
  }

  @Test
  void takesAStreamCutWithTheConnectionForBroken() throws Exception {
    bad.behave(
        answer -> {
          answer.raw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + Chunks.ROLE);
          answer.die();
        });
    assertTrue(balancer.chat(true).body().contains("\"upstream_lost\""));
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
  }

  @Test
  void takesAStreamThatEndsWithItsConnectionForCompleteAfterDone() throws Exception {
    bad.behave(
        answer -> {
          answer.raw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
          answer.raw(Chunks.ANSWER_WITH_USAGE);
          answer.die();
        });
    assertEquals(Chunks.ANSWER, balancer.chat(true).body());
    assertEquals(Outcome.OK, balancer.finished().outcome());
  }

  @Test
  void cutsABodyThatBreaksOff() throws Exception {
    bad.behave(
        answer -> {
          answer.raw(
              "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{");
          answer.die();
        });
    try (RawClient client = RawClient.chat(balancer.port(), false, 0)) {
      assertTrue(client.readToEnd().endsWith("\r\n\r\n{"));
    }
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
  }

  @Test
  void countsAnErrorWhoseBodyBreaksOffAsOneFailure() throws Exception {
    bad.behave(
        answer -> {
          answer.raw(ERROR_BEGUN);
          answer.die();
        });
    try (RawClient client = RawClient.chat(balancer.port(), false, 0)) {
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 500 "));
    }
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
    assertFailedOnce(balancer);
  }

  @Test
  void countsAnErrorWhoseBodyFallsSilentAsOneFailure() throws Exception {
    bad.behave(answer -> answer.raw(ERROR_BEGUN));
    Timeouts timeouts =
        new Timeouts(Duration.ofSeconds(9), Duration.ofMillis(50), Duration.ofSeconds(9));
    try (TestBalancer hasty = TestBalancer.with(config -> config.timeouts(timeouts), bad);
        RawClient client = RawClient.chat(hasty.port(), false, 0)) {
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 500 "));
      assertEquals(Outcome.TIMEOUT, hasty.finished().outcome());
      assertFailedOnce(hasty);
    }
  }

  private static void assertFailedOnce(TestBalancer balancer) throws Exception {
    List<String> reasons =
        balancer.events(AttemptFailed.class).stream().map(AttemptFailed::reason).toList();
    assertEquals(List.of("status_500"), reasons);
    String counted =
        balancer
            .admin("/metrics")
            .body()
            .lines()
            .filter(line -> line.startsWith("warmpath_balancer_attempts_failed_total{"))
            .map(line -> line.replaceAll(".*reason=\"([^\"]*)\"[^}]*} ", "$1 "))
            .collect(Collectors.joining(", "));
    assertEquals("status_500 1", counted);
  }

  @Test
  void takesASwitchOfProtocolsForALostConnection() throws Exception {
    String upgrade = "HTTP/1.1 101 Upgraded\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
    bad.behave(answer -> answer.raw(upgrade + "no HTTP"));
    assertRetried("connection_lost");
  }

  @Test
  void takesBytesThatAreNoHttpForALostConnection() throws Exception {
    bad.behave(answer -> answer.raw("SSH-2.0-OpenSSH\r\n\r\n"));
    assertRetried("connection_lost");
  }

  @Test
  void blamesNoReplicaForClosingAKeptConnection() throws Exception {
    good.behave(answer -> answer.json(200, Chunks.JSON_ANSWER));
    bad.behave(answer -> answer.json(200, Chunks.JSON_ANSWER));
    balancer.chat(false);
    balancer.chat(false);
    bad.nextRequest();
    good.nextRequest();
    int[] answers = {0};
    bad.behave(
        answer -> {
          if (answers[0]++ == 0) {
            answer.die();
          } else {
            answer.json(200, Chunks.JSON_ANSWER);
          }
        });
    HttpResponse<String> response = balancer.chat(false);
    assertEquals("replica-0", response.headers().firstValue("x-warmpath-replica").orElse(""));
    assertEquals(List.of(), balancer.events(AttemptFailed.class));
  }

  @Test
  void givesUpOnAFirstTokenThatDoesNotCome() throws Exception {
    bad.behave(answer -> answer.stream().send(Chunks.ROLE));
    Timeouts timeouts =
        new Timeouts(Duration.ofMillis(50), Duration.ofSeconds(9), Duration.ofSeconds(9));
    try (TestBalancer hasty = TestBalancer.with(config -> config.timeouts(timeouts), bad)) {
      assertTrue(hasty.chat(true).body().contains("\"first_token_timeout\""));
      assertEquals(Outcome.TIMEOUT, hasty.finished().outcome());
      Eventually.until("upstream closed", () -> bad.closedConnections() == 1);
    }
  }

  @Test
  void answers504WhenNothingCameInTime() throws Exception {
    bad.behave(answer -> {});
    Timeouts timeouts =
        new Timeouts(Duration.ofSeconds(9), Duration.ofSeconds(9), Duration.ofMillis(50));
    try (TestBalancer hasty = TestBalancer.with(config -> config.timeouts(timeouts), bad)) {
      assertEquals(504, hasty.chat(false).statusCode());
      assertEquals(Outcome.TIMEOUT, hasty.finished().outcome());
      assertEquals(504, hasty.finished().status());
    }
  }

  @Test
  void givesUpOnAStreamThatFallsSilent() throws Exception {
    bad.behave(answer -> answer.stream().send(Chunks.ROLE + Chunks.content("a")));
    Timeouts timeouts =
        new Timeouts(Duration.ofSeconds(9), Duration.ofMillis(50), Duration.ofSeconds(9));
    try (TestBalancer hasty = TestBalancer.with(config -> config.timeouts(timeouts), bad)) {
      assertTrue(hasty.chat(true).body().contains("\"idle_timeout\""));
      assertEquals(Outcome.TIMEOUT, hasty.finished().outcome());
    }
  }
}
