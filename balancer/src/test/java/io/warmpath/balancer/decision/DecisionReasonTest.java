package io.warmpath.balancer.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.schemas.request.RoutingFacts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionReasonTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0, cold",
    "64, 64, 64, 0, warmest",
    "32, 64, 32, 0, warmest_not_admissible",
    "0, 64, 32, 0, passed_over",
    "64, 64, 64, 1, retry",
  })
  void followsFromWhatIsCached(
      long chosen, long best, long bestAdmissible, int attempt, String reason) {
    RoutingFacts facts = new RoutingFacts(100, true, chosen, best, bestAdmissible, 64, 0, 0, 5);
    assertEquals(reason, DecisionReason.of(facts, attempt).label());
  }
}
