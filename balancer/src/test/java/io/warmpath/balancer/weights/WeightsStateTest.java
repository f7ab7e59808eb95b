package io.warmpath.balancer.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WeightsStateTest {

  private static final long NOW = 1_000_000;
  private static final List<String> REPLICAS = List.of("a", "b", "c");

  private final WeightsState state = new WeightsState("m");

  @Test
  void startsWithEqualWeights() {
    assertEqual(state.inForce(NOW, REPLICAS));
    assertEquals(OptionalLong.empty(), state.leaseRemainingMs(NOW));
  }

  @Test
  void goesByWhatWasPublished() {
    assertTrue(state.accept(weights("m", NOW, weight("a", 0.5, 20), weight("b", 1.5, 10))));
    WeightsInForce inForce = state.inForce(NOW, REPLICAS);
    assertEquals(NOW, inForce.epoch());
    assertEquals(0.5, inForce.weight(0));
    assertEquals(10, inForce.microsPerToken(1));
    assertEquals(0.2, inForce.backlogShare());
  }

  @Test
  void givesTheMeanToReplicasThatAreNotListed() {
    state.accept(weights("m", NOW, weight("a", 0.5, 20), weight("b", 1.5, 10)));
    assertEquals(1, state.inForce(NOW, REPLICAS).weight(2));
    assertEquals(15, state.inForce(NOW, REPLICAS).microsPerToken(2));
    assertEquals(100, state.inForce(NOW, REPLICAS).interceptMicros(2));
  }

  @Test
  void takesNoSpeedFromAReplicaThatHasNone() {
    state.accept(weights("m", NOW, weight("a", 1, 0), weight("b", 1, 10)));
    assertEquals(10, state.inForce(NOW, REPLICAS).microsPerToken(0));
    state.accept(weights("m", NOW + 1, weight("a", 1, 0), weight("b", 1, 0)));
    assertEquals(1, state.inForce(NOW, REPLICAS).microsPerToken(0));
  }

  @Test
  void acceptsOnlyAHigherEpoch() {
    assertTrue(state.accept(weights("m", NOW, weight("a", 0.5, 20))));
    assertFalse(state.accept(weights("m", NOW, weight("a", 2, 20))));
    assertFalse(state.accept(weights("m", NOW - 1, weight("a", 2, 20))));
    assertEquals(0.5, state.inForce(NOW, REPLICAS).weight(0));
    assertTrue(state.accept(weights("m", NOW + 1, weight("a", 2, 20))));
    assertEquals(2, state.inForce(NOW, REPLICAS).weight(0));
  }

  @Test
  void ignoresOtherModels() {
    assertFalse(state.accept(weights("other", NOW, weight("a", 0.5, 20))));
    assertEqual(state.inForce(NOW, REPLICAS));
  }

  @Test
  void fallsBackWhenTheLeaseRunsOutAndRecoversByItself() {
    state.accept(weights("m", NOW, weight("a", 0.5, 20)));
    assertEquals(0.5, state.inForce(NOW + 30_000, REPLICAS).weight(0));
    assertEqual(state.inForce(NOW + 30_001, REPLICAS));
    assertEquals(OptionalLong.of(-1), state.leaseRemainingMs(NOW + 30_001));
    assertEquals(NOW, state.epoch());

    state.accept(weights("m", NOW + 35_000, weight("a", 0.7, 20)));
    assertEquals(0.7, state.inForce(NOW + 36_000, REPLICAS).weight(0));
  }

  @Test
  void goesByTheReplicasThatThereAre() {
    state.accept(weights("m", NOW, weight("a", 0.5, 20), weight("b", 1.5, 10)));
    assertEquals(0.5, state.inForce(NOW, REPLICAS).weight(0));
    assertEquals(1.5, state.inForce(NOW, List.of("b")).weight(0));
    assertEquals(0.5, state.inForce(NOW, REPLICAS).weight(0));
  }

  private static void assertEqual(WeightsInForce inForce) {
    assertEquals(0, inForce.epoch());
    assertEquals(WeightsInForce.DEFAULT_BACKLOG_SHARE, inForce.backlogShare());
    for (int replica = 0; replica < 3; replica++) {
      assertEquals(1, inForce.weight(replica));
      assertEquals(1, inForce.microsPerToken(replica));
      assertEquals(0, inForce.interceptMicros(replica));
    }
  }

  private static ReplicaWeight weight(String replica, double weight, double microsPerToken) {
    return new ReplicaWeight(
        replica, weight, ReplicaState.ACTIVE, 100, microsPerToken, 50, "target");
  }

  private static RoutingWeights weights(String model, long epoch, ReplicaWeight... replicas) {
    return new RoutingWeights(
        model, epoch, epoch + 30_000, epoch, 0.2, null, List.of(replicas), List.of());
  }
}
