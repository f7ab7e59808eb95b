package io.warmpath.console.state;

import static io.warmpath.console.SampleResults.ALL;
import static io.warmpath.console.SampleResults.MODEL;
import static io.warmpath.console.SampleResults.row;
import static io.warmpath.console.SampleResults.weights;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleStateTest {

  private static final long T = 1_700_000_000_000L;
  private static final long TEN_S = 10_000;
  private static final long MINUTE = 60_000;

  private final ConsoleState state = new ConsoleState(StateLimits.DEFAULTS);

  private ModelView model(long nowMs) {
    List<ModelView> models = state.view(nowMs, HistoryDepth.FULL).models();
    assertEquals(1, models.size());
    return models.get(0);
  }

  private static PolicyView policy(WindowView window, String name) {
    return window.policies().stream()
        .filter(policy -> policy.row().policy().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> replicas(WindowView window) {
    return window.replicas().stream().map(ReplicaView::replica).toList();
  }

  @Test
  void knowsNothingAtFirst() {
    assertEquals(List.of(), state.view(T, HistoryDepth.FULL).models());
  }

  @Test
  void showsTheNewestWindowOfEachSize() {
    state.accept(row(ALL, ALL, TEN_S, T, 10, 100_000), T);
    state.accept(row(ALL, ALL, TEN_S, T + 1_000, 20, 200_000), T);
    state.accept(row(ALL, ALL, MINUTE, T, 60, 300_000), T);

    List<WindowView> windows = model(T + 2_000).windows();

    assertEquals(List.of(TEN_S, MINUTE), windows.stream().map(WindowView::sizeMs).toList());
    assertEquals(20, windows.get(0).total().requests());
    assertEquals(60, windows.get(1).total().requests());
  }

  @Test
  void takesTheLaterRecordOfTheSameWindow() {
    state.accept(row(ALL, ALL, TEN_S, T, 10, 100_000), T);
    state.accept(row(ALL, ALL, TEN_S, T, 11, 100_000), T);

    assertEquals(11, model(T).windows().get(0).total().requests());
  }

  @Test
  void doesNotGoBackWhenAnOlderWindowIsEmittedAgain() {
    state.accept(row(ALL, ALL, TEN_S, T, 10, 100_000), T);
    state.accept(row(ALL, ALL, TEN_S, T - 5_000, 99, 100_000), T);

    assertEquals(10, model(T).windows().get(0).total().requests());
    assertEquals(List.of(T - 5_000, T), model(T).history().stream().map(HistoryPoint::t).toList());
  }

  @Test
  void comparesPoliciesWithRoundRobinOfTheSameWindow() {
    state.accept(row("adaptive", ALL, MINUTE, T, 94, 272_000), T);
    state.accept(row("round_robin", ALL, MINUTE, T, 100, 745_000), T);
    state.accept(row(ALL, ALL, MINUTE, T, 194, 600_000), T);

    WindowView window = model(T).windows().get(0);

    assertNull(policy(window, "round_robin").baseline());
    Comparison comparison = policy(window, "adaptive").baseline();
    assertTrue(comparison.sameWindow());
    assertEquals(0.94, comparison.rpsRatio(), 1e-9);
    assertEquals(272.0 / 745.0, comparison.p95Ratio(), 1e-9);
    assertEquals(0.0, comparison.hitRateDifference(), 1e-9);
  }

  @Test
  void letsTheBusiestWindowSpeakForAnArmThatHasEnded() {
    state.accept(row("round_robin", ALL, MINUTE, T, 100, 745_000), T);
    state.accept(row("round_robin", ALL, MINUTE, T + 55_000, 2, 50_000), T);
    state.accept(row("adaptive", ALL, MINUTE, T + 120_000, 90, 272_000), T);
    state.accept(row(ALL, ALL, MINUTE, T + 120_000, 90, 272_000), T + 120_000);

    WindowView window = model(T + 121_000).windows().get(0);

    PolicyView ended = policy(window, "round_robin");
    assertFalse(ended.live());
    assertEquals(100, ended.row().requests());
    assertTrue(policy(window, "adaptive").live());
    assertFalse(policy(window, "adaptive").baseline().sameWindow());
  }

  @Test
  void forgetsWhatAnArmDidBeforeALongSilence() {
    state.accept(row("round_robin", ALL, MINUTE, T, 100, 745_000), T);
    state.accept(row("round_robin", ALL, MINUTE, T + 300_000, 7, 80_000), T + 300_000);
    state.accept(row(ALL, ALL, MINUTE, T + 400_000, 9, 80_000), T + 400_000);

    PolicyView ended = policy(model(T + 400_000).windows().get(0), "round_robin");

    assertEquals(7, ended.row().requests());
  }

  @Test
  void dropsAReplicaThatHasLeftWithinTheExpiry() {
    state.accept(row(ALL, "replica-0", TEN_S, T, 5, 100_000), T);
    state.accept(row(ALL, "replica-1", TEN_S, T, 5, 100_000), T);
    state.accept(row(ALL, ALL, TEN_S, T, 10, 100_000), T);
    assertEquals(List.of("replica-0", "replica-1"), replicas(model(T).windows().get(0)));

    long later = T + StateLimits.DEFAULTS.expiry().toMillis() + 1_000;
    state.accept(row(ALL, "replica-0", TEN_S, later, 5, 100_000), later);
    state.accept(row(ALL, ALL, TEN_S, later, 5, 100_000), later);

    assertEquals(List.of("replica-0"), replicas(model(later).windows().get(0)));
  }

  @Test
  void saysThatAReplicaHadNoTrafficInTheNewestWindow() {
    state.accept(row(ALL, "replica-0", TEN_S, T, 5, 100_000), T);
    state.accept(row(ALL, ALL, TEN_S, T + 1_000, 10, 100_000), T);

    assertFalse(model(T + 1_000).windows().get(0).replicas().get(0).live());
  }

  @Test
  void listsReplicasThatOnlyTheWeightsKnowInTheOrderOfTheirNumbers() {
    state.accept(row(ALL, "replica-10", TEN_S, T, 5, 100_000), T);
    state.accept(row(ALL, ALL, TEN_S, T, 5, 100_000), T);
    state.accept(weights(T, 1.2, 0.9, 0.9), T);

    WindowView window = model(T).windows().get(0);

    assertEquals(List.of("replica-0", "replica-1", "replica-2", "replica-10"), replicas(window));
    assertEquals(1.2, window.replicas().get(0).weight().weight());
    assertNull(window.replicas().get(0).row());
    assertNull(window.replicas().get(3).weight());
  }

  @Test
  void keepsPastWeightsAndIgnoresLowerEpochs() {
    state.accept(row(ALL, ALL, TEN_S, T, 5, 100_000), T);
    state.accept(weights(T, 1.0, 1.0), T);
    state.accept(weights(T + 5_000, 0.75, 1.25), T);
    state.accept(weights(T + 2_000, 9, 9), T);

    ModelView model = model(T + 6_000);

    assertEquals(T + 5_000, model.lease().epoch());
    assertEquals(29_000, model.lease().remainingMs());
    assertEquals(
        List.of(new WeightPoint(T, 1.0), new WeightPoint(T + 5_000, 0.75)),
        model.windows().get(0).replicas().get(0).weightHistory());
  }

  @Test
  void isStaleOnceTheNewestWindowIsOld() {
    state.accept(row(ALL, ALL, TEN_S, T, 5, 100_000), T);

    assertFalse(model(T + 15_000).stale());
    assertTrue(model(T + 15_001).stale());
  }

  @Test
  void forgetsAModelAfterTheRetention() {
    state.accept(row(ALL, ALL, TEN_S, T, 5, 100_000), T);
    state.accept(weights(T, 1, 1), T);

    long after = T + StateLimits.DEFAULTS.retention().toMillis() + 30_001;

    assertEquals(List.of(), state.view(after, HistoryDepth.FULL).models());
  }

  @Test
  void carriesOnlyTheNewestPartOfHistoriesInAnUpdate() {
    for (int i = 0; i < 200; i++) {
      state.accept(row(ALL, ALL, TEN_S, T + i * 1_000L, 5, 100_000), T + i * 1_000L);
    }

    List<HistoryPoint> recent =
        state.view(T + 200_000, HistoryDepth.RECENT).models().get(0).history();

    assertEquals(HistoryDepth.RECENT.fleetPoints(), recent.size());
    assertEquals(T + 199_000, recent.get(recent.size() - 1).t());
  }

  @Test
  void refusesWindowsFarAheadAndNamesBeyondTheBound() {
    state.accept(row(ALL, ALL, TEN_S, T + 121_000, 5, 100_000), T);
    state.accept(row("p".repeat(257), ALL, TEN_S, T, 5, 100_000), T);
    state.accept(weights(T + 121_000, 1), T);

    assertEquals(3, state.counts().refused());
    assertEquals(List.of(), state.view(T, HistoryDepth.FULL).models());
  }

  @Test
  void keepsItsBoundsWhateverArrives() {
    StateLimits few =
        new StateLimits(
            Duration.ofSeconds(15),
            Duration.ofSeconds(30),
            Duration.ofMinutes(15),
            Duration.ofMinutes(2),
            2,
            3,
            2,
            1,
            1,
            16,
            64);
    ConsoleState bounded = new ConsoleState(few);
    for (int i = 0; i < 10; i++) {
      bounded.accept(row(ALL, "replica-" + i, TEN_S, T, 5, 100_000), T);
      bounded.accept(row("model-" + i, ALL, ALL, TEN_S, T, 5, 100_000, 0.5), T);
      bounded.accept(row(ALL, ALL, TEN_S + i, T, 5, 100_000), T);
    }

    List<ModelView> models = bounded.view(T, HistoryDepth.FULL).models();

    assertEquals(2, models.size());
    assertTrue(
        models.stream()
                .filter(model -> model.model().equals(MODEL))
                .flatMap(model -> model.windows().stream())
                .mapToInt(window -> window.replicas().size() + 1)
                .sum()
            <= 4);
    assertTrue(bounded.counts().refused() >= 20);
  }

  @Test
  void doesNotKeepSketches() {
    state.accept(row(ALL, ALL, MINUTE, T, 60, 300_000), T);

    WindowRow total = model(T).windows().get(0).total();

    assertNotNull(total.ttft().p95Us());
    assertNull(total.ttft().sketchB64());
  }
}
