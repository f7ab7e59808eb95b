package io.warmpath.routing.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.weights.PolicyShare;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ControlLawTest {

  private static final long START = 1_000_000;
  private static final long STEP = 5_000;

  private final ControlLaw law = new ControlLaw(ControlConfig.DEFAULTS);
  private ControlState state = ControlState.INITIAL;
  private long end = START;
  private WeightDecision log;

  private RoutingWeights decide(Rows rows) {
    Decision decision = law.decide(state, rows.build()).orElseThrow();
    state = decision.next();
    log = decision.log();
    end += STEP;
    return decision.weights();
  }

  private Rows next() {
    return Rows.ending(end);
  }

  private Rows fleet(double... usPerToken) {
    Rows rows = next();
    for (int i = 0; i < usPerToken.length; i++) {
      rows.replica("r" + i, usPerToken[i]);
    }
    return rows;
  }

  private static ReplicaWeight of(RoutingWeights weights, String replica) {
    return weights.replicas().stream()
        .filter(each -> each.replica().equals(replica))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aFleetSeenForTheFirstTimeIsServedAtOnce() {
    RoutingWeights weights = decide(fleet(100, 100, 100, 100));
    assertEquals(4, weights.replicas().size());
    for (ReplicaWeight each : weights.replicas()) {
      assertEquals(1, each.weight());
      assertEquals(ReplicaState.ACTIVE, each.state());
      assertEquals(100, each.usPerToken(), 1e-9);
      assertEquals(60, each.samples());
    }
    assertNull(weights.frozen());
  }

  @Test
  void aFleetThatStartsOneByOneIsServedAtOnceToo() {
    decide(next());
    decide(next().replica("r0", null));
    for (ReplicaWeight each : decide(fleet(100, 100, 100)).replicas()) {
      assertEquals(1, each.weight());
      assertEquals(ReplicaState.ACTIVE, each.state());
    }
  }

  @Test
  void theLeaseEndsThirtySecondsAfterTheWindow() {
    RoutingWeights weights = decide(fleet(100, 100));
    assertEquals(START, weights.epoch());
    assertEquals(START, weights.windowEndMs());
    assertEquals(START + 30_000, weights.validUntilMs());
    assertEquals(0.25, weights.backlogShare());
  }

  @Test
  void moreOfTheBacklogCountsWhileAReplicaIsDegraded() {
    decide(fleet(100, 100, 100, 100));
    assertEquals(0.25, decide(fleet(100, 100, 100, 100)).backlogShare());
    for (int i = 0; i < 3; i++) {
      decide(fleet(100, 100, 100, 200));
    }
    assertEquals(0.4, decide(fleet(100, 100, 100, 200)).backlogShare());
    for (int i = 0; i < 3; i++) {
      decide(fleet(100, 100, 100, 100));
    }
    assertEquals(0.25, decide(fleet(100, 100, 100, 100)).backlogShare());
  }

  @Test
  void onlyALaterWindowIsDecidedOn() {
    decide(fleet(100, 100));
    ControlState after = state;
    assertEquals(Optional.empty(), law.decide(after, Rows.ending(START).build()));
    assertEquals(Optional.empty(), law.decide(after, Rows.ending(START - STEP).build()));
    assertTrue(law.decide(after, Rows.ending(START + 1).build()).isPresent());
  }

  @Test
  void aReplicaHalvedInSpeedFallsWithinThreeStepsAndComesBack() {
    for (int i = 0; i < 5; i++) {
      decide(fleet(100, 100, 100, 100));
    }
    decide(fleet(100, 100, 100, 200));
    assertEquals(0.75, of(log()).clamped(), 1e-9);
    assertEquals("step_limit", of(log()).reason());
    decide(fleet(100, 100, 100, 200));
    RoutingWeights slow = decide(fleet(100, 100, 100, 200));
    assertEquals(4 / 7.0, of(slow, "r3").weight(), 1e-9);
    assertEquals(ReplicaState.DEGRADED, of(slow, "r3").state());
    assertEquals(200, of(slow, "r3").usPerToken(), 1e-9);
    RoutingWeights repaired = null;
    int steps = 0;
    do {
      repaired = decide(fleet(100, 100, 100, 100));
      steps++;
    } while (of(repaired, "r3").weight() < 0.9);
    assertTrue(steps <= 8, "took " + steps + " steps");
    assertEquals(ReplicaState.ACTIVE, of(repaired, "r3").state());
    assertEquals(1, of(repaired, "r0").weight(), 0.06);
  }

  private WeightDecision.Step of(WeightDecision decision) {
    return decision.replicas().get(decision.replicas().size() - 1);
  }

  private WeightDecision log() {
    return log;
  }

  @Test
  void upGoesHalfTheWayInThreeUpdates() {
    decide(fleet(100, 100, 100, 200));
    for (int i = 0; i < 30; i++) {
      decide(fleet(100, 100, 100, 200));
    }
    double low = of(log()).clamped();
    for (int i = 0; i < 3; i++) {
      decide(fleet(100, 100, 100, 100));
    }
    assertEquals((1 + low) / 2, of(log()).clamped(), 1e-3);
    assertEquals("up", of(log()).reason());
  }

  @Test
  void anImpulseOfOneWindowIsForgotten() {
    decide(fleet(100, 100, 100, 100));
    decide(fleet(100, 100, 100, 300));
    assertEquals(0.75, of(log()).clamped(), 1e-9);
    for (int i = 0; i < 12; i++) {
      decide(fleet(100, 100, 100, 100));
    }
    assertEquals(1, of(log()).clamped(), 0.06);
  }

  @Test
  void differencesThatTheSamplesCannotTellMoveNothing() {
    decide(fleet(100, 100, 100, 100));
    for (int i = 0; i < 20; i++) {
      RoutingWeights weights = decide(fleet(100, 118, 95, i % 2 == 0 ? 90 : 112));
      weights.replicas().forEach(each -> assertEquals(1, each.weight()));
      assertEquals("steady", of(log()).reason());
    }
  }

  /**
   * Fits of four equal replicas that were sent requests in bursts, as one such minute gave them.
   */
  @Test
  void aWaitThatNoTokenExplainsIsNoSlowerReplica() {
    for (int i = 0; i < 12; i++) {
      decide(
          next()
              .meanTokens(12_000)
              .replica("r0", 14_000, 20.7, 45)
              .replica("r1", 41_000, 19.7, 49)
              .replica("r2", 145_000, 16.1, 45)
              .replica("r3", 26_000, 21.2, 41));
      for (WeightDecision.Step step : log().replicas()) {
        assertEquals(1, step.clamped());
      }
    }
  }

  @Test
  void oneMinuteOfAnOddSlopeDoesNotAcquitASlowReplica() {
    for (int i = 0; i < 12; i++) {
      decide(slowReplica(39));
    }
    double before = of(log()).clamped();
    assertTrue(before < 0.7, log().toString());

    decide(slowReplica(20));

    assertEquals(before, of(log()).clamped(), 0.05);
    assertTrue(of(log()).target() < 0.7, log().toString());
  }

  private Rows slowReplica(double usPerToken) {
    return next()
        .meanTokens(12_000)
        .replica("r0", 75_000, 21, 110)
        .replica("r1", 100_000, 19, 116)
        .replica("r2", 278_000, usPerToken, 50);
  }

  @Test
  void theSameDifferenceCountsOnceEnoughSamplesShowIt() {
    for (int i = 0; i < 20; i++) {
      decide(
          next()
              .replica("r0", 30_000, 100, 4000)
              .replica("r1", 30_000, 100, 4000)
              .replica("r2", 36_000, 120, 4000));
    }
    assertEquals(3 / (1 + 1 + 1 / 1.2) / 1.2, of(log()).clamped(), 0.03);
  }

  @Test
  void aSlopeMeasuredOnTheGpuCountsAtOnce() {
    decide(fleet(100, 100));
    RoutingWeights weights =
        decide(
            next()
                .replica("r0", new FitStats(30_000, 100, 20, FitStats.Source.GPU))
                .replica("r1", new FitStats(30_000, 130, 20, FitStats.Source.GPU)));
    assertEquals(130, of(weights, "r1").usPerToken());
  }

  @Test
  void failedAttemptsCostWeight() {
    FitStats fit = new FitStats(30_000, 100, 60, FitStats.Source.TTFT);
    for (int i = 0; i < 40; i++) {
      decide(next().replica("r0", fit).replica("r1", fit, 100, 100, 0, 0));
    }
    assertEquals(0.05, of(log()).clamped(), 1e-9);
    assertEquals("floor", of(log()).reason());
    for (int i = 0; i < 40; i++) {
      decide(next().replica("r0", fit).replica("r1", fit));
    }
    assertEquals(1, of(log()).clamped(), 0.06);
  }

  @Test
  void aReplicaThatDisappearsIsNotListedAndComesBackSlowly() {
    decide(fleet(100, 100, 100));
    RoutingWeights two = decide(fleet(100, 100));
    assertEquals(2, two.replicas().size());
    long back = end;
    RoutingWeights weights = decide(fleet(100, 100, 100));
    assertEquals(0.1, of(weights, "r2").weight(), 1e-9);
    assertEquals(ReplicaState.WARMING, of(weights, "r2").state());
    while (end <= back + 10_000) {
      weights = decide(fleet(100, 100, 100));
    }
    assertEquals(0.1, of(weights, "r2").weight(), 1e-9);
    while (end <= back + 40_000) {
      weights = decide(fleet(100, 100, 100));
    }
    assertEquals(0.55, of(weights, "r2").weight(), 1e-9);
    while (end <= back + 70_000) {
      weights = decide(fleet(100, 100, 100));
    }
    assertEquals(1, of(weights, "r2").weight(), 1e-9);
    assertEquals(ReplicaState.ACTIVE, of(weights, "r2").state());
  }

  @Test
  void aRestartIsEasedInOnceThoughManyWindowsShowIt() {
    FitStats fit = new FitStats(30_000, 100, 60, FitStats.Source.TTFT);
    decide(next().replica("r0", fit).replica("r1", fit));
    RoutingWeights weights = null;
    for (int i = 0; i < 12; i++) {
      weights = decide(next().replica("r0", fit).replica("r1", fit, 60, 0, 1, 0));
    }
    assertEquals(0.1 + 0.9 * 45 / 60, of(weights, "r1").weight(), 1e-9);
    assertEquals(1, of(weights, "r0").weight());
  }

  @Test
  void aReplicaWithoutAFitKeepsItsSpeed() {
    for (int i = 0; i < 5; i++) {
      decide(fleet(100, 100, 100, 200));
    }
    Rows silent =
        next().replica("r0", 100).replica("r1", 100).replica("r2", 100).replica("r3", null);
    assertEquals(200, of(decide(silent), "r3").usPerToken(), 1e-9);
  }

  @Test
  void weightsAreKeptWhenNothingCanBeLearned() {
    for (int i = 0; i < 10; i++) {
      decide(fleet(100, 100, 100, 200));
    }
    double before = of(log()).clamped();
    assertFrozen("event_gaps", fleet(100, 100, 100, 100).eventsDropped(1), before);
    assertFrozen("rejecting", fleet(100, 100, 100, 100).rejected(49), before);
    Rows empty =
        next().replica("r0", null).replica("r1", null).replica("r2", null).replica("r3", null);
    assertFrozen("too_few_samples", empty, before);
    assertNull(decide(fleet(100, 100, 100, 100).rejected(48)).frozen());
  }

  private void assertFrozen(String reason, Rows rows, double before) {
    RoutingWeights weights = decide(rows);
    assertEquals(reason, weights.frozen());
    assertEquals(reason, log.frozen());
    assertEquals(before, of(weights, "r3").weight());
    assertEquals("frozen", of(weights, "r3").reason());
  }

  @Test
  void gapsInItsCacheEventsMakeAReplicaSuspect() {
    FitStats fit = new FitStats(30_000, 100, 60, FitStats.Source.TTFT);
    RoutingWeights weights = decide(next().replica("r0", fit).replica("r1", fit, 60, 0, 0, 3));
    assertEquals(ReplicaState.SUSPECT, of(weights, "r1").state());
    assertEquals(1, of(weights, "r1").weight());
  }

  @Test
  void fitsOfTooFewSamplesAreNoFits() {
    assertEquals("too_few_samples", decide(next().replica("r0", 30_000, 100, 14)).frozen());
  }

  @Test
  void noWeightLeavesItsBounds() {
    for (int i = 0; i < 100; i++) {
      decide(fleet(1, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000));
    }
    assertEquals(4, log.replicas().get(0).clamped());
    assertEquals(0.05, log.replicas().get(1).clamped());
  }

  @Test
  void armsArePublishedAsConfigured() {
    List<PolicyShare> arms = List.of(new PolicyShare("adaptive", 1, "configured"));
    ControlLaw withArms = new ControlLaw(ControlConfig.DEFAULTS.withPolicies(arms));
    Decision decision =
        withArms.decide(ControlState.INITIAL, fleet(100, 100).build()).orElseThrow();
    assertEquals(arms, decision.weights().policies());
    assertEquals(arms, decision.log().policies());
  }

  @Test
  void theStateSurvivesItsBytes() throws IOException {
    decide(fleet(100, 100, 100, 200));
    decide(fleet(100, 100, 100, 200, 100));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    state.writeTo(new DataOutputStream(bytes));
    ControlState read =
        ControlState.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(state, read);
    assertThrows(
        IOException.class,
        () -> ControlState.readFrom(new DataInputStream(new ByteArrayInputStream(new byte[9]))));
  }

  @Test
  void onlyTheRowsOfTheWindowAreRead() {
    WindowInput other = Rows.ending(START + 5).replica("r9", 100).build();
    WindowInput input = WindowInput.of(Rows.ending(START).build().total(), other.replicas());
    assertTrue(input.replicas().isEmpty());
    RoutingStats single = other.replicas().get(0);
    assertThrows(IllegalArgumentException.class, () -> WindowInput.of(single, List.of()));
  }
}
