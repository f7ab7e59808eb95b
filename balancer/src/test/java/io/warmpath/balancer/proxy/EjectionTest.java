package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Routed;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas that get no requests: because their answers fail, or because an operator wants it. */
class EjectionTest {

  private static final EjectionSettings AFTER_TWO =
      new EjectionSettings(
          2, 1, 1000, Duration.ofSeconds(10), Duration.ofMinutes(1), 0.5, Duration.ZERO);

  private final List<FakeReplica> replicas =
      IntStream.range(0, 3)
          .mapToObj(
              i -> new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end()))
          .toList();
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    balancer =
        TestBalancer.with(
            config -> config.ejection(AFTER_TWO), replicas.toArray(FakeReplica[]::new));
  }

  @AfterEach
  void stop() {
    Eventually.until("no open request", balancer::idle);
    balancer.close();
    replicas.forEach(FakeReplica::close);
  }

  @Test
  void leavesAReplicaOutWhoseAnswersFail() throws Exception {
    replicas.get(0).behave(answer -> answer.json(500, "{}"));
    for (int i = 0; i < 4; i++) {
      balancer.chat(true);
    }
    assertEquals("ejected", replica(0).path("state").asText());
    for (int i = 0; i < 6; i++) {
      assertEquals(200, balancer.chat(true).statusCode());
    }
    assertEquals(2, balancer.events(AttemptFailed.class).size());
  }

  @Test
  void leavesNoMoreOutThanAllowed() throws Exception {
    replicas.forEach(replica -> replica.behave(answer -> answer.json(500, "{}")));
    for (int i = 0; i < 20; i++) {
      assertEquals(500, balancer.chat(true).statusCode());
    }
    long out =
        IntStream.range(0, 3).filter(i -> !replica(i).path("state").asText().equals("up")).count();
    assertEquals(1, out);
  }

  /** One that does not stream says at its head that the replica is well, not at its end only. */
  @Test
  void takesAReplicaBackWhenALongAnswerBegins() throws Exception {
    Duration soon = Duration.ofMillis(20);
    HealthSettings unchecked = new HealthSettings(Duration.ZERO, Duration.ofSeconds(1), 1, soon);
    FakeReplica[] two = {replicas.get(0), replicas.get(1)};
    try (TestBalancer one =
        TestBalancer.with(config -> config.ejection(AFTER_TWO).health(unchecked), two)) {
      two[0].behave(answer -> answer.json(500, "{}"));
      for (int i = 0; i < 4; i++) {
        one.chat(false);
      }
      two[0].behave(
          answer ->
              answer.raw(
                  "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                      + "content-length: 99\r\n\r\n{"));
      List<CompletableFuture<HttpResponse<String>>> open = new ArrayList<>();
      Eventually.until(
          "it is up while its answer goes on",
          () -> {
            if (isUp(one)) {
              return true;
            }
            open.add(one.chatLater(false));
            return false;
          });
      assertTrue(open.stream().anyMatch(answer -> !answer.isDone()));
    }
  }

  private static boolean isUp(TestBalancer balancer) {
    try {
      return balancer
          .metric(
              "warmpath_balancer_replica_state{model=\"warmpath-demo\",replica=\"replica-0\",state=\"up\"}")
          .endsWith(" 1");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void keepsConversationsWithTheReplicasThatAreLeft() throws Exception {
    balancer.adminPost("/admin/policy", "{\"policy\":\"prefix_affinity\"}");
    for (int i = 0; i < 9; i++) {
      chat("conversation " + i + " ".repeat(400));
    }
    List<String> before = routedTo(0);
    replicas.get(0).close();
    for (int round = 1; round <= 2; round++) {
      for (int i = 0; i < 9; i++) {
        assertEquals(200, chat("conversation " + i + " ".repeat(400)).statusCode());
      }
    }
    List<Routed> routed = balancer.events(Routed.class);
    List<String> last = routedTo(routed.size() - 9);
    assertTrue(before.contains("replica-0"));
    for (int i = 0; i < 9; i++) {
      if (!before.get(i).equals("replica-0")) {
        assertEquals(before.get(i), last.get(i), "conversation " + i);
      }
    }
  }

  private HttpResponse<String> chat(String text) throws Exception {
    return balancer.post("/v1/chat/completions", TestBalancer.chatBody(true, text));
  }

  private List<String> routedTo(int from) {
    List<Routed> routed = balancer.events(Routed.class);
    return routed.subList(from, from + 9).stream().map(r -> r.context().replica()).toList();
  }

  @Test
  void drainsAReplicaWithoutLosingItsStreams() throws Exception {
    replicas.get(0).behave(answer -> answer.stream().send(Chunks.ROLE));
    try (RawClient client = RawClient.chat(balancer.port(), true, 0)) {
      client.readUntil(Chunks.ROLE);
      HttpResponse<String> drained = balancer.adminPost("/admin/replicas/replica-0/drain", "");
      assertEquals(200, drained.statusCode());
      assertEquals(
          "{\"name\":\"replica-0\",\"state\":\"draining\",\"in_flight\":1}\n", drained.body());
      for (int i = 0; i < 4; i++) {
        balancer.chat(true);
      }
      assertEquals(1, replicas.get(0).connections());
      assertEquals(0, replicas.get(0).closedConnections());
      assertEquals(1, replica(0).path("in_flight").asInt());
    }
    Eventually.until("drained", () -> replica(0).path("in_flight").asInt() == 0);
    replicas.get(0).behave(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    assertEquals(
        "{\"name\":\"replica-0\",\"state\":\"up\",\"in_flight\":0}\n",
        balancer.adminPost("/admin/replicas/replica-0/undrain", "").body());
    for (int i = 0; i < 3; i++) {
      balancer.chat(true);
    }
    assertEquals(2, replicas.get(0).connections());
  }

  @Test
  void answers503AtOnceWhenAllAreDrained() throws Exception {
    for (int i = 0; i < 3; i++) {
      balancer.adminPost("/admin/replicas/replica-" + i + "/drain", "");
    }
    HttpResponse<String> refused = balancer.chat(true);
    assertEquals(503, refused.statusCode());
    assertEquals("1", refused.headers().firstValue("retry-after").orElse(""));
  }

  @Test
  void drainsOnlyReplicasThatThereAre() throws Exception {
    assertEquals(404, balancer.adminPost("/admin/replicas/nobody/drain", "").statusCode());
    assertEquals(404, balancer.adminPost("/admin/replicas/replica-0/stop", "").statusCode());
    assertEquals(404, balancer.admin("/admin/replicas/replica-0/drain").statusCode());
    assertEquals("up", replica(0).path("state").asText());
  }

  private JsonNode replica(int index) {
    try {
      return new ObjectMapper()
          .readTree(balancer.admin("/admin/replicas").body())
          .path("replicas")
          .path(index);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
