package io.warmpath.console.export;

import static io.warmpath.console.SampleResults.MODEL;
import static io.warmpath.console.SampleResults.weights;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FleetWeightsTest {

  private static final long T = 1_000_000;
  private static final long LEASE_MS = 30_000;

  private final FleetWeights fleet =
      new FleetWeights(MODEL, SampleMap.NAMES, VanishedReplicas.DRAIN);

  private static List<Double> numbers(FleetShares shares) {
    return shares.replicas().stream().map(ReplicaShare::weight).toList();
  }

  private static List<WeightBasis> bases(FleetShares shares) {
    return shares.replicas().stream().map(ReplicaShare::basis).toList();
  }

  @Test
  void withoutWeightsAllAreEqual() {
    FleetShares shares = fleet.at(T);
    assertEquals(LeaseStanding.NONE, shares.lease());
    assertEquals(List.of(1.0, 1.0, 1.0, 1.0), numbers(shares));
  }

  @Test
  void publishedWeightsHoldUntilTheirLeaseIsOverAndThenAllAreEqual() {
    assertTrue(fleet.accept(weights(T, 1.4, 1.2, 0.8, 0.6)));
    assertEquals(List.of(1.4, 1.2, 0.8, 0.6), numbers(fleet.at(T + LEASE_MS)));

    FleetShares over = fleet.at(T + LEASE_MS + 1);
    assertEquals(LeaseStanding.OVER, over.lease());
    assertEquals(T, over.epoch());
    assertEquals(List.of(1.0, 1.0, 1.0, 1.0), numbers(over));
  }

  @Test
  void onlyAHigherEpochReplacesWhatIsThere() {
    assertTrue(fleet.accept(weights(T, 1.4, 1.2, 0.8, 0.6)));
    assertFalse(fleet.accept(weights(T, 1, 1, 1, 1)));
    assertFalse(fleet.accept(weights(T - 1, 1, 1, 1, 1)));
    assertEquals(1.4, numbers(fleet.at(T)).get(0));
  }

  @Test
  void aReplicaThatWasNeverPublishedGetsTheMeanOfTheOthers() {
    fleet.accept(weights(T, 1.4, 1.0, 0.6));
    FleetShares shares = fleet.at(T);
    assertEquals(1.0, numbers(shares).get(3), 1e-9);
    assertEquals(WeightBasis.MEAN, bases(shares).get(3));
  }

  @Test
  void aReplicaThatIsNoLongerPublishedIsDrainedAndComesBack() {
    fleet.accept(weights(T, 1, 1, 1, 1));
    fleet.accept(weights(T + 1, 1.2, 1, 0.8));
    FleetShares shares = fleet.at(T + 1);
    assertEquals(List.of(1.2, 1.0, 0.8, 0.0), numbers(shares));
    assertEquals(WeightBasis.DRAINED, bases(shares).get(3));

    fleet.accept(weights(T + 2, 1.2, 1, 0.8, 0.1));
    assertEquals(0.1, numbers(fleet.at(T + 2)).get(3));
  }

  @Test
  void orItGetsTheMeanWhereThatIsAskedFor() {
    FleetWeights kind = new FleetWeights(MODEL, SampleMap.NAMES, VanishedReplicas.MEAN);
    kind.accept(weights(T, 1, 1, 1, 1));
    kind.accept(weights(T + 1, 1.2, 1, 0.8));
    assertEquals(1.0, numbers(kind.at(T + 1)).get(3), 1e-9);
  }

  @Test
  void ifAllHaveLeftAllAreEqual() {
    fleet.accept(weights(T, 1, 1, 1, 1));
    fleet.accept(weights(T + 1));
    assertEquals(List.of(1.0, 1.0, 1.0, 1.0), numbers(fleet.at(T + 1)));
  }

  @Test
  void tellsWhichPublishedReplicasItDoesNotHave() {
    fleet.accept(weights(T, 1, 1, 1, 1, 1));
    assertEquals(List.of("replica-4"), fleet.at(T).unmapped());
  }

  @Property
  void whateverIsPublishedSomeReplicaGetsTraffic(
      @ForAll @Size(max = 6) List<@DoubleRange(min = 0, max = 1e300) Double> published) {
    FleetWeights any = new FleetWeights(MODEL, SampleMap.NAMES, VanishedReplicas.DRAIN);
    any.accept(weights(T, 1, 1, 1, 1));
    any.accept(weights(T + 1, published.stream().mapToDouble(w -> w).toArray()));
    List<Double> numbers = numbers(any.at(T + 1));
    assertTrue(numbers.stream().anyMatch(w -> w > 0), numbers::toString);
    assertTrue(
        numbers.stream().allMatch(w -> w >= 0 && w <= FleetWeights.MAX_WEIGHT), numbers::toString);
  }
}
