package io.warmpath.console.state;

import static io.warmpath.console.SampleResults.MODEL;
import static io.warmpath.console.SampleResults.deadLetter;
import static io.warmpath.console.SampleResults.decision;
import static io.warmpath.console.SampleResults.shadow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionsAndShadowTest {

  private static final long T = 1_700_000_000_000L;
  private static final double[] EVEN = {1, 1};
  private static final double[] UNEVEN = {1.25, 0.75};

  private final ConsoleState state = new ConsoleState(StateLimits.DEFAULTS);

  private ModelView model(long nowMs) {
    return state.view(nowMs, HistoryDepth.FULL).models().get(0);
  }

  @Test
  void showsTheNewestShadowWindowOfEachPolicy() {
    state.accept(shadow("adaptive", T, 0.9, 200_000), T);
    state.accept(shadow("adaptive", T - 60_000, 0.1, 200_000), T);
    state.accept(shadow("round_robin", T, 0.5, 700_000), T);

    List<ShadowStats> shown = model(T).shadow();

    assertEquals(
        List.of("adaptive", "round_robin"), shown.stream().map(ShadowStats::policy).toList());
    assertEquals(T, shown.get(0).windowEndMs());
    assertEquals(shown, state.fresh(T).get(0).shadow());
  }

  @Test
  void doesNotKeepSketches() {
    ShadowStats window = shadow("adaptive", T, 0.9, 200_000);
    state.accept(window, T);

    assertNotNull(window.capacities().get(0).predictedTtft().sketchB64());
    assertNull(model(T).shadow().get(0).capacities().get(0).predictedTtft().sketchB64());
  }

  @Test
  void forgetsShadowWindowsAndDecisionsWithTheRest() {
    state.accept(shadow("adaptive", T, 0.9, 200_000), T);
    state.accept(decision(T, EVEN, UNEVEN), T);
    long later = T + StateLimits.DEFAULTS.retention().toMillis() + 1;

    assertEquals(List.of(), state.view(later, HistoryDepth.FULL).models());
  }

  @Test
  void keepsShadowWindowsOfNoMorePoliciesThanItsBound() {
    int most = StateLimits.DEFAULTS.maxShadowPolicies();
    for (int i = 0; i <= most; i++) {
      state.accept(shadow("policy-" + i, T, 0.9, 200_000), T);
    }

    assertEquals(most, model(T).shadow().size());
    assertEquals(1, state.counts().refused());
  }

  @Test
  void logsOnlyDecisionsThatChangedSomething() {
    state.accept(decision(T - 10_000, EVEN, EVEN), T);
    state.accept(decision(T - 5_000, EVEN, UNEVEN), T);
    state.accept(decision(T, UNEVEN, UNEVEN), T);

    List<DecisionView> log = model(T).decisions();

    assertEquals(List.of(T - 5_000), log.stream().map(DecisionView::epoch).toList());
    assertEquals(2, log.get(0).changed());
    assertEquals(0, log.get(0).held());
    assertEquals("up", log.get(0).steps().get(0).reason());
  }

  @Test
  void logsWhereAFreezeBeginsAndEnds() {
    state.accept(frozen(decision(T - 15_000, EVEN, EVEN), null), T);
    state.accept(frozen(decision(T - 10_000, EVEN, EVEN), "gaps"), T);
    state.accept(frozen(decision(T - 5_000, EVEN, EVEN), "gaps"), T);
    state.accept(frozen(decision(T, EVEN, EVEN), null), T);

    assertEquals(
        List.of(T, T - 10_000), model(T).decisions().stream().map(DecisionView::epoch).toList());
  }

  @Test
  void theSameDecisionAgainIsOne() {
    state.accept(decision(T, EVEN, UNEVEN), T);
    state.accept(decision(T, EVEN, UNEVEN), T);

    assertEquals(1, state.fresh(T).get(0).decisions().size());
  }

  @Test
  void keepsDecisionsUpToABoundOnTheirSteps() {
    DecisionLog log = new DecisionLog(11);
    for (int i = 0; i < 10; i++) {
      log.accept(decision(T + i, EVEN, UNEVEN));
    }

    assertEquals(List.of(T + 8, T + 9), log.all().stream().map(WeightDecision::epoch).toList());
  }

  @Test
  void countsDeadLettersByTopicAndReason() {
    state.accept(deadLetter(Topics.REQUESTS, Reason.NOT_JSON));
    state.accept(deadLetter(Topics.REQUESTS, Reason.NOT_JSON));
    state.accept(deadLetter("x".repeat(10_000), Reason.EMPTY));
    state.accept(deadLetter("y", Reason.EMPTY));

    assertEquals(
        Map.of(
            Topics.REQUESTS,
            Map.of(Reason.NOT_JSON, 2L),
            DeadLetterCounts.OTHER,
            Map.of(Reason.EMPTY, 2L)),
        state.view(T, HistoryDepth.FULL).deadLetters());
    assertEquals(2, state.deadLetters(Topics.REQUESTS, Reason.NOT_JSON));
    assertEquals(0, state.deadLetters(Topics.REQUESTS, Reason.EMPTY));
  }

  @Test
  void refusesWhatIsTooLongOrFromTheFuture() {
    long far = T + StateLimits.DEFAULTS.maxAhead().toMillis() + 1;
    state.accept(shadow("p".repeat(1_000), T, 0.9, 1), T);
    state.accept(shadow("p", far, 0.9, 1), T);
    state.accept(decision(far, EVEN, UNEVEN), T);

    assertEquals(3, state.counts().refused());
    assertTrue(
        state.view(T, HistoryDepth.FULL).models().stream().noneMatch(m -> m.model().equals(MODEL)));
  }

  private static WeightDecision frozen(WeightDecision decision, String reason) {
    return new WeightDecision(
        decision.model(),
        decision.epoch(),
        decision.validUntilMs(),
        decision.windowEndMs(),
        decision.backlogShare(),
        reason,
        decision.replicas(),
        decision.policies());
  }
}
