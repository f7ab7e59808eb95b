package io.warmpath.balancer.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RoutingDecision;
import io.warmpath.schemas.request.RoutingDecision.Candidate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

  private static final String LONG_PROMPT =
      "the quick brown fox jumps over the lazy dog ".repeat(8);

  private FakeReplica first;
  private FakeReplica second;

  @BeforeEach
  void start() {
    first = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    second = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  @Test
  void holdsEveryReplicaAsThePolicySawIt() throws Exception {
    try (TestBalancer balancer = logging(1, 10)) {
      chat(balancer, LONG_PROMPT);
      chat(balancer, LONG_PROMPT);
      List<RoutingDecision> decisions = decisions(balancer, "");
      assertEquals(2, decisions.size());
      RoutingDecision cold = decisions.get(0);
      assertEquals("cold", cold.reason());
      assertEquals(
          List.of("replica-0", "replica-1"),
          cold.candidates().stream().map(Candidate::replica).toList());
      RoutingDecision warm = decisions.get(1);
      Candidate holder = of(warm, cold.replica());
      Candidate other = warm.candidates().get(warm.candidates().indexOf(holder) == 0 ? 1 : 0);
      assertTrue(holder.cachedTokens() > 0);
      assertEquals(0, other.cachedTokens());
      assertEquals(warm.promptTokens(), holder.cachedTokens() + holder.uncachedTokens());
      assertTrue(holder.available() && holder.admissible());
      assertEquals(0, holder.inFlight());
      assertEquals(1, holder.weight());
      assertTrue(holder.predictedTtftUs() < other.predictedTtftUs());
      assertEquals(cold.promptHash(), warm.promptHash());
      assertNotNull(warm.promptHash());
    }
  }

  @Test
  void saysWhichReplicaAPolicyPassedOver() throws Exception {
    try (TestBalancer balancer =
        TestBalancer.with(
            config -> config.decisions(new DecisionLogSettings(1, 10)), first, second)) {
      chat(balancer, LONG_PROMPT);
      chat(balancer, LONG_PROMPT);
      assertEquals("passed_over", decisions(balancer, "").get(1).reason());
      assertNotNull(
          balancer
              .admin("/metrics")
              .body()
              .lines()
              .filter(line -> line.startsWith("warmpath_balancer_decisions_total"))
              .filter(line -> line.contains("reason=\"passed_over\"") && line.endsWith(" 1"))
              .findFirst()
              .orElse(null));
    }
  }

  @Test
  void logsEveryAttemptOfARequest() throws Exception {
    first.behave(answer -> answer.json(503, "{}"));
    second.behave(answer -> answer.json(503, "{}"));
    try (TestBalancer balancer = logging(1, 10)) {
      balancer.chat(true);
      List<RoutingDecision> decisions = decisions(balancer, "");
      assertEquals(2, decisions.size());
      assertEquals("retry", decisions.get(1).reason());
      assertEquals(1, decisions.get(1).attempt());
      assertEquals(decisions.get(0).requestId(), decisions.get(1).requestId());
      assertFalse(of(decisions.get(1), decisions.get(0).replica()).available());
    }
  }

  @Test
  void keepsTheNewestAndGoesOnFromANumber() throws Exception {
    try (TestBalancer balancer = logging(1, 3)) {
      for (int i = 0; i < 5; i++) {
        chat(balancer, LONG_PROMPT);
      }
      assertEquals(List.of(3L, 4L, 5L), numbers(decisions(balancer, "")));
      assertEquals(List.of(5L), numbers(decisions(balancer, "?after=4")));
      assertEquals(List.of(), decisions(balancer, "?after=5"));
      assertEquals(400, balancer.admin("/admin/decisions?after=x").statusCode());
    }
  }

  @Test
  void logsNothingUnlessToldTo() throws Exception {
    try (TestBalancer balancer = TestBalancer.inFrontOf(first, second)) {
      chat(balancer, LONG_PROMPT);
      assertEquals(List.of(), decisions(balancer, ""));
    }
  }

  @Test
  void samplesAShare() {
    DecisionLog log = new DecisionLog(new DecisionLogSettings(0.25, 1));
    int sampled = 0;
    for (int i = 0; i < 100_000; i++) {
      sampled += log.samples() ? 1 : 0;
    }
    // Beyond 10 standard deviations: 137 each.
    assertEquals(25_000, sampled, 1_370);
  }

  private TestBalancer logging(double rate, int keep) {
    return TestBalancer.with(
        config -> config.policy("adaptive").decisions(new DecisionLogSettings(rate, keep)),
        first,
        second);
  }

  /** One request, over when this returns. */
  private static void chat(TestBalancer balancer, String text) throws Exception {
    balancer.post("/v1/chat/completions", TestBalancer.chatBody(true, text));
    Eventually.until("the request is over", balancer::idle);
  }

  private static Candidate of(RoutingDecision decision, String replica) {
    return decision.candidates().stream()
        .filter(candidate -> candidate.replica().equals(replica))
        .findFirst()
        .orElseThrow();
  }

  private static List<Long> numbers(List<RoutingDecision> decisions) {
    return decisions.stream().map(RoutingDecision::seq).toList();
  }

  private static List<RoutingDecision> decisions(TestBalancer balancer, String query)
      throws Exception {
    List<RoutingDecision> decisions = new ArrayList<>();
    String body = balancer.admin("/admin/decisions" + query).body();
    for (String line : body.lines().toList()) {
      decisions.add(Codecs.ROUTING_DECISION.decode(line.getBytes(StandardCharsets.UTF_8)));
    }
    return decisions;
  }
}
