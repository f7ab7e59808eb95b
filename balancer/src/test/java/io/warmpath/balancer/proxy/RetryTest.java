package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.Routed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** Only what is lost at once was lost while it was idle. */
  @Test
  void countsAKeptConnectionThatIsLostLaterAsAFailure() throws Exception {
    ConnectionSettings quick =
        new ConnectionSettings(Duration.ofMillis(100), 9, Duration.ofMinutes(1));
    try (TestBalancer one = TestBalancer.with(config -> config.connections(quick), good)) {
      assertEquals(Chunks.ANSWER, one.chat(true).body());
      good.behave(answer -> answer.after(Duration.ofMillis(200), answer::die));
      assertEquals(502, one.chat(true).statusCode());
      assertEquals("connection_lost", one.events(AttemptFailed.class).get(0).reason());
      assertEquals(1, good.connections());
    }
  }

  @Test
  void sendsARequestOnceMoreWhenAKeptConnectionWasJustClosed() throws Exception {
    try (TestBalancer one = TestBalancer.with(config -> config, good)) {
      assertEquals(Chunks.ANSWER, one.chat(true).body());
      good.behave(FakeReplica.Answer::die);
      assertEquals(502, one.chat(true).statusCode());
      assertEquals(2, good.connections(), "once more, not for ever");
      assertEquals(1, one.events(AttemptFailed.class).size());
    }
  }

  @Test
  void countsTheTimeToConnectIntoTheTotal() throws Exception {
    ConnectionSettings patient =
        new ConnectionSettings(Duration.ofMinutes(1), 9, Duration.ofMinutes(1));
    Timeouts timeouts =
        new Timeouts(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMillis(200));
    try (FullSocket full = new FullSocket();
        TestBalancer hasty =
            TestBalancer.inFrontOf(
                config -> config.connections(patient).timeouts(timeouts), full.url())) {
      HttpResponse<String> late = hasty.chat(false);
      assertEquals(504, late.statusCode());
      assertTrue(late.body().contains("\"total_timeout\""), late.body());
      Eventually.until("no open request", hasty::idle);
    }
  }

  /** An address that takes no further connections: they are not even refused. */
  private static final class FullSocket implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final List<Socket> waiting = new ArrayList<>();

    FullSocket() throws IOException {
      try {
        while (true) {
          Socket socket = new Socket();
          waiting.add(socket);
          socket.connect(server.getLocalSocketAddress(), 100);
        }
      } catch (SocketTimeoutException full) {
        // That is what it is for.
      }
    }

    URI url() {
      return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : waiting) {
        socket.close();
      }
      server.close();
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
