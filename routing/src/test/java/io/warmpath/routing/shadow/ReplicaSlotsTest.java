package io.warmpath.routing.shadow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.routing.control.ControlConfig;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSlotsTest {

  private static final long T = 1_796_083_200_000L;
  private static final long LEASE_MS = 30_000;

  /** Epoch, lease and means; the number of slots; then "c", not listed, and "b". */
  private static final String GOLDEN =
      "000001a22ee7ade8000001a22ee823183fd999999999999a4072c000000000004054000000000000"
          + "00000002"
          + "0001630100000001000001a22ee7b1d0003ff000000000000000000000000000000000000000000000"
          + "0001620100000000000001a22ee7ade8013fe00000000000004072c000000000004054000000000000";

  private final ReplicaSlots slots = new ReplicaSlots();

  @Test
  void replicasAreNumberedAsTheyAppear() {
    slots.saw("b", T);
    slots.saw("a", T);
    slots.saw("b", T + 1);
    assertEquals(2, slots.size());

    slots.publish(weights(T, replica("c", 2, 300, 40)));
    assertEquals(3, slots.size());
    assertEquals(300, slots.serviceIntercept(2));
    assertEquals(40, slots.servicePerToken(2));
    assertEquals(2, slots.weight(2, T));
  }

  @Test
  void aReplicaThatNeitherRequestsNorWeightsSawForAMinuteIsGone() {
    slots.saw("a", T);
    slots.publish(weights(T + 60_000, replica("b", 1, 0, 50)));
    assertTrue(slots.isPresent(0));

    slots.publish(weights(T + 65_000, replica("b", 1, 0, 50)));
    assertFalse(slots.isPresent(0));
    assertTrue(slots.isPresent(1));
  }

  @Test
  void oneThatCameBackIsAnother() {
    slots.saw("a", T);
    int before = slots.generation(0);
    slots.publish(weights(T + 65_000, replica("b", 1, 0, 50)));
    slots.saw("a", T + 66_000);

    assertTrue(slots.isPresent(0));
    assertEquals(before + 1, slots.generation(0));
    assertEquals(2, slots.size());
  }

  @Test
  void aNewReplicaTakesTheFirstNumberThatIsFree() {
    slots.saw("a", T);
    slots.saw("b", T);
    slots.saw("c", T + 70_000);
    slots.publish(weights(T + 70_000, replica("c", 1, 0, 50)));
    int before = slots.generation(0);
    slots.saw("d", T + 71_000);

    assertEquals(3, slots.size());
    assertTrue(slots.isPresent(0));
    assertFalse(slots.isPresent(1));
    assertEquals(before + 1, slots.generation(0));
  }

  @Test
  void olderWeightsAndTheSameAgainChangeNothing() {
    slots.publish(weights(T, replica("a", 1, 100, 50)));
    slots.publish(weights(T, replica("a", 3, 700, 90)));
    slots.publish(weights(T - 5_000, replica("a", 3, 700, 90)));
    assertEquals(1, slots.weight(0, T));
    assertEquals(50, slots.servicePerToken(0));
  }

  @Test
  void aReplicaThatWeightsDoNotListGetsTheMean() {
    slots.saw("new", T);
    slots.publish(weights(T, replica("a", 1.5, 100, 40), replica("b", 0.5, 300, 80)));
    assertEquals(1, slots.weight(0, T));
    assertEquals(200, slots.interceptMicros(0, T));
    assertEquals(60, slots.microsPerToken(0, T));
  }

  @Test
  void withoutALeasePoliciesSeeEqualReplicasAndTheServersKeepTheirSpeed() {
    slots.publish(weights(T, replica("a", 1.5, 100, 40), replica("b", 0.5, 300, 80)));
    assertEquals(0.4, slots.backlogShare(T + LEASE_MS));
    assertEquals(80, slots.microsPerToken(1, T + LEASE_MS));

    long after = T + LEASE_MS + 1;
    assertEquals(1, slots.weight(1, after));
    assertEquals(0, slots.interceptMicros(1, after));
    assertEquals(slots.microsPerToken(0, after), slots.microsPerToken(1, after));
    assertEquals(ControlConfig.DEFAULT_BACKLOG_SHARE, slots.backlogShare(after));
    assertEquals(80, slots.servicePerToken(1));
    assertEquals(300, slots.serviceIntercept(1));
  }

  @Test
  void nothingIsLearnedBeforeTheFirstWeights() {
    slots.saw("a", T);
    assertFalse(slots.isLearned());
    assertTrue(slots.servicePerToken(0) > 0);
    slots.publish(weights(T, replica("a", 1, 100, 40)));
    assertTrue(slots.isLearned());
  }

  @Test
  void thereAreAtMostSoManyAndNoNamesWithoutEnd() {
    slots.saw("x".repeat(ReplicaSlots.MAX_NAME + 1), T);
    assertEquals(0, slots.size());
    for (int i = 0; i <= ReplicaSlots.MAX_SLOTS; i++) {
      slots.saw("replica-" + i, T);
    }
    assertEquals(ReplicaSlots.MAX_SLOTS, slots.size());
    slots.publish(weights(T, replica("one-more", 1, 100, 40)));
    assertEquals(ReplicaSlots.MAX_SLOTS, slots.size());
  }

  @Test
  void theBytesAreTheGoldenOnesAndComeBack() throws IOException {
    slots.saw("a", T);
    slots.publish(weights(T + 65_000, replica("b", 0.5, 300, 80)));
    slots.saw("c", T + 66_000);
    byte[] bytes = bytes(slots);
    assertEquals(GOLDEN, HexFormat.of().formatHex(bytes));

    ReplicaSlots read = new ReplicaSlots();
    read.readFrom(new DataInputStream(new ByteArrayInputStream(bytes)));
    assertArrayEquals(bytes, bytes(read));
    assertEquals(0.5, read.weight(1, T + 65_000));
    read.saw("c", T + 67_000);
    assertEquals(2, read.size());
  }

  private static byte[] bytes(ReplicaSlots slots) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    slots.writeTo(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static RoutingWeights weights(long windowEndMs, ReplicaWeight... replicas) {
    return new RoutingWeights(
        "m",
        windowEndMs,
        windowEndMs + LEASE_MS,
        windowEndMs,
        0.4,
        null,
        List.of(replicas),
        List.of());
  }

  private static ReplicaWeight replica(
      String name, double weight, double interceptUs, double usPerToken) {
    return new ReplicaWeight(
        name, weight, ReplicaState.ACTIVE, interceptUs, usPerToken, 40, "steady");
  }
}
