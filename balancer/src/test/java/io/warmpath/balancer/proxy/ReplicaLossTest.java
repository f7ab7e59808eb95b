package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.ReplicaProcess;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One of two replicas goes while streams are open on it. Each is a process of its own. */
class ReplicaLossTest {

  private static final String LAST_CHUNK = "0\r\n\r\n";

  private ReplicaProcess lost;
  private ReplicaProcess other;
  private TestBalancer balancer;
  private final List<RawClient> clients = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    lost = ReplicaProcess.start();
    other = ReplicaProcess.start();
    Timeouts timeouts =
        new Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofMinutes(1));
    HealthSettings unchecked =
        new HealthSettings(Duration.ZERO, Duration.ofSeconds(1), 1, Duration.ofMillis(200));
    balancer =
        TestBalancer.inFrontOf(
            config -> config.timeouts(timeouts).health(unchecked).eventLoops(2),
            lost.url(),
            other.url());
  }

  @AfterEach
  void stop() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
    balancer.close();
    lost.close();
    other.close();
  }

  @Test
  void endsEachStreamOfAKilledReplicaWithOneErrorAndTouchesNoOther() throws Exception {
    List<RawClient> onLost = new ArrayList<>();
    List<RawClient> onOther = new ArrayList<>();
    hold(400, onLost, onOther);
    assertEquals(200, onLost.size());

    lost.kill();

    assertBrokenOff(onLost, "upstream_lost");
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> response = balancer.chat(true);
      assertEquals(Chunks.ANSWER, response.body());
      assertEquals("replica-1", replica(response));
    }
    assertCompleted(onOther);
    Eventually.until("no open request", balancer::idle);
    assertEquals(200, finished(Outcome.UPSTREAM_ERROR));
    assertEquals(200 + 20 + 1, finished(Outcome.OK));
    assertEquals(421, balancer.events(Finished.class).size());
  }

  @Test
  void leavesAFrozenReplicaOutAndTakesItBackWhenItAnswers() throws Exception {
    List<RawClient> onLost = new ArrayList<>();
    List<RawClient> onOther = new ArrayList<>();
    hold(20, onLost, onOther);

    lost.freeze();

    // Nothing has shown yet that it is frozen: it still gets one of two.
    List<RawClient> sent = List.of(chat("a"), chat("b"));
    List<Integer> statuses = new ArrayList<>();
    for (RawClient client : sent) {
      String head = client.readHead();
      statuses.add(Integer.parseInt(head.split(" ")[1]));
    }
    assertTrue(statuses.contains(200) && statuses.contains(504), statuses.toString());
    assertBrokenOff(onLost, "idle_timeout");
    // The client has its last byte a moment before the event is there.
    Eventually.until("each timed out", () -> finished(Outcome.TIMEOUT) == 11);
    List<String> reasons =
        balancer.events(AttemptFailed.class).stream().map(AttemptFailed::reason).toList();
    assertTrue(reasons.contains("first_token_timeout"), reasons.toString());
    assertTrue(
        balancer
            .metric(
                "warmpath_balancer_replica_state{model=\"warmpath-demo\",replica=\"replica-0\",state=\"up\"}")
            .endsWith(" 0"));

    lost.thaw();

    Eventually.until("taken back", () -> replica(answered()).equals("replica-0"));
    assertCompleted(onOther);
    Eventually.until("no open request", balancer::idle);
  }

  /** Opens streams that go on until they are let go. */
  private void hold(int streams, List<RawClient> onLost, List<RawClient> onOther)
      throws IOException {
    for (int i = 0; i < streams; i++) {
      RawClient client = chat(ReplicaProcess.HOLD);
      String head = client.readHead();
      client.readUntil(Chunks.content("held"));
      (head.contains("x-warmpath-replica: replica-0") ? onLost : onOther).add(client);
    }
  }

  private RawClient chat(String text) throws IOException {
    RawClient client = RawClient.chat(balancer.port(), text);
    clients.add(client);
    return client;
  }

  private static void assertBrokenOff(List<RawClient> streams, String code) throws IOException {
    for (RawClient stream : streams) {
      String rest = stream.readUntil(LAST_CHUNK);
      assertEquals(2, rest.split("\"error\"", -1).length, rest);
      assertTrue(rest.contains("\"" + code + "\""), rest);
      assertFalse(rest.contains("[DONE]"), rest);
    }
  }

  /** The streams go on, and end as they should when they are let go. */
  private void assertCompleted(List<RawClient> streams) throws IOException, InterruptedException {
    for (RawClient stream : streams) {
      stream.readUntil(Chunks.content("and"));
    }
    HttpResponse<String> let;
    do {
      let =
          balancer.post(
              "/v1/chat/completions", TestBalancer.chatBody(true, ReplicaProcess.RELEASE));
    } while (!replica(let).equals("replica-1"));
    for (RawClient stream : streams) {
      String rest = stream.readUntil(LAST_CHUNK);
      assertTrue(rest.contains(Chunks.DONE), rest);
      assertFalse(rest.contains("\"error\""), rest);
    }
  }

  private HttpResponse<String> answered() {
    try {
      return balancer.chat(true);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String replica(HttpResponse<String> response) {
    return response.headers().firstValue("x-warmpath-replica").orElse("");
  }

  private long finished(Outcome outcome) {
    return balancer.events(Finished.class).stream().filter(f -> f.outcome() == outcome).count();
  }
}
