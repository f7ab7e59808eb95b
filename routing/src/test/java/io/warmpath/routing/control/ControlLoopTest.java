package io.warmpath.routing.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The law, the fits and noise in one loop. */
class ControlLoopTest {

  private static final int SLOW = 3;

  private static ToLongFunction<Random> prompts(String name) {
    return name.equals("spread") ? Fleet.SPREAD : Fleet.CONVERSATIONS;
  }

  @ParameterizedTest
  @CsvSource({"1,spread", "2,spread", "3,spread", "4,conversations", "5,conversations"})
  void anHourOfNoisePublishesNothingButLeases(long seed, String prompts) {
    Fleet fleet = new Fleet(seed, prompts(prompts), 4, 2);
    List<ReplicaWeight> first = fleet.next().replicas();
    while (fleet.seconds() < 3600) {
      RoutingWeights weights = fleet.next();
      for (int i = 0; i < first.size(); i++) {
        ReplicaWeight now = weights.replicas().get(i);
        assertEquals(first.get(i).weight(), now.weight());
        assertEquals(first.get(i).usPerToken(), now.usPerToken());
        assertEquals("steady", now.reason());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,spread", "2,spread", "3,conversations", "4,conversations"})
  void aReplicaEighteenPercentFasterDoesNotTakeAll(long seed, String prompts) {
    Fleet fleet = new Fleet(seed, prompts(prompts), 4, 2);
    fleet.slow(0, 1 / 1.18);
    while (fleet.seconds() < 1800) {
      for (ReplicaWeight each : fleet.next().replicas()) {
        assertTrue(each.weight() > 0.8 && each.weight() < 1.3, each.toString());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,spread,1", "2,spread,1", "3,spread,2", "4,spread,4",
    "5,conversations,1", "6,conversations,1", "7,conversations,2", "8,conversations,4"
  })
  void aReplicaSlowedByHalfIsFoundAndForgiven(long seed, String prompts, double rate) {
    Fleet fleet = new Fleet(seed, prompts(prompts), 4, rate);
    while (fleet.seconds() < 120) {
      fleet.next();
    }
    fleet.slow(SLOW, 2);
    assertTrue(secondsUntil(fleet, 0, 0.7) <= 85);
    long settled = fleet.seconds() + 60;
    while (fleet.seconds() < settled) {
      assertTrue(weight(fleet.next()) < 0.7);
    }
    fleet.slow(SLOW, 1);
    assertTrue(secondsUntil(fleet, 0.9, Double.MAX_VALUE) <= 150);
  }

  /** Also that meanwhile the other replicas stay within 10 % of each other. */
  private static long secondsUntil(Fleet fleet, double low, double high) {
    long start = fleet.seconds();
    while (true) {
      RoutingWeights weights = fleet.next();
      double least = Double.MAX_VALUE;
      double most = 0;
      for (int i = 0; i < SLOW; i++) {
        least = Math.min(least, weights.replicas().get(i).weight());
        most = Math.max(most, weights.replicas().get(i).weight());
      }
      assertTrue(most <= 1.1 * least, weights.toString());
      double weight = weight(weights);
      if (weight > low && weight < high) {
        return fleet.seconds() - start;
      }
      assertTrue(fleet.seconds() - start < 600, "weight still " + weight);
    }
  }

  private static double weight(RoutingWeights weights) {
    return weights.replicas().get(SLOW).weight();
  }
}
