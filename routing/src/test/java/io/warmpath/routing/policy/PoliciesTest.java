package io.warmpath.routing.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTest {

  static Stream<String> names() {
    return Policies.names().stream().map(name -> name.replace("W", "0.75"));
  }

  private static List<Integer> choices(RoutingPolicy policy, FakeView view, int requests) {
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      chosen.add(policy.choose(view));
    }
    return chosen;
  }

  private static int choose(String policy, FakeView view) {
    return Policies.parse(policy).choose(view);
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPolicyAnswersToItsName(String name) {
    assertEquals(name, Policies.parse(name).name());
  }

  @ParameterizedTest
  @MethodSource("names")
  void noneIsChosenOnlyIfNoneIsAvailable(String name) {
    RoutingPolicy policy = Policies.parse(name);
    assertEquals(RoutingPolicy.NONE, policy.choose(new FakeView(0)));
    assertEquals(RoutingPolicy.NONE, policy.choose(new FakeView(3).down(0, 1, 2)));
    assertEquals(1, policy.choose(new FakeView(3).down(0, 2).open(0, 900, 0)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void oneReplicaGetsEverything(String name) {
    assertEquals(List.of(0, 0, 0), choices(Policies.parse(name), new FakeView(1).open(50), 3));
  }

  @Property(tries = 300)
  void onlyAvailableReplicasAreChosen(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int n) {
    Random random = new Random(seed);
    List<RoutingPolicy> policies = names().map(Policies::parse).toList();
    for (int step = 0; step < 20; step++) {
      FakeView view = new FakeView(n);
      boolean any = false;
      for (int i = 0; i < n; i++) {
        view.available[i] = random.nextBoolean();
        any |= view.available[i];
        view.cachedBlocks[i] = random.nextInt(11);
        view.uncachedTokens[i] = random.nextInt(200);
        view.inFlight[i] = random.nextInt(100);
        view.outstandingTokens[i] = random.nextInt(3);
        view.weights[i] = random.nextInt(3) == 0 ? Double.NaN : random.nextDouble();
        view.microsPerToken[i] = random.nextInt(3) == 0 ? Double.NaN : 50;
      }
      view.session = random.nextInt(4);
      for (RoutingPolicy policy : policies) {
        int chosen = policy.choose(view);
        assertTrue(any ? view.available(chosen) : chosen == RoutingPolicy.NONE, policy.name());
      }
    }
  }

  @Test
  void unknownNamesAreRefusedWithTheNamesThatAreKnown() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Policies.parse("fastest"));
    assertTrue(refused.getMessage().contains("'fastest'"));
    assertTrue(refused.getMessage().contains("weighted_round_robin"));
    assertTrue(refused.getMessage().contains("blend:W"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"blend:", "blend:2", "blend:-0.5", "blend:NaN", "blend:1e-9", "blend"})
  void blendNeedsAWeightFromZeroToOne(String name) {
    assertThrows(IllegalArgumentException.class, () -> Policies.parse(name));
  }

  @Test
  void blendIsNamedByItsShortestWeight() {
    assertEquals("blend:0.9", Policies.parse("blend:0.90").name());
    assertEquals("blend:1", Policies.parse("blend:1.0").name());
    assertEquals("blend:0", Policies.parse("blend:0").name());
  }

  @Test
  void roundRobinCountsRequestsAndSkipsWhatIsNotAvailable() {
    RoutingPolicy policy = Policies.parse("round_robin");
    assertEquals(List.of(0, 1, 2, 3, 0), choices(policy, new FakeView(4), 5));
    assertEquals(List.of(2, 2, 3, 0), choices(policy, new FakeView(4).down(1), 4));
  }

  @Test
  void randomDrawsJavaRandom42OnceARequest() {
    Random expected = new Random(42);
    RoutingPolicy policy = Policies.parse("random");
    for (int i = 0; i < 100; i++) {
      assertEquals(expected.nextInt(8), policy.choose(new FakeView(8)));
    }
  }

  @Test
  void leastLoadedTakesTheFirstOfEquals() {
    assertEquals(1, choose("least_loaded", new FakeView(3).outstanding(5, 3, 3)));
  }

  @Test
  void prefixAffinityPrefersBlocksThenLoadThenIndex() {
    assertEquals(
        1, choose("prefix_affinity", new FakeView(3).cached(2, 5, 3).outstanding(0, 99, 0)));
    assertEquals(
        2, choose("prefix_affinity", new FakeView(3).cached(5, 5, 5).outstanding(9, 4, 3)));
    assertEquals(0, choose("prefix_affinity", new FakeView(3)));
  }

  @Test
  void cacheAwareFollowsAMatchOfMoreThanThirtyPercent() {
    assertEquals(1, choose("cache_aware", new FakeView(3).cached(0, 4, 1)));
    FakeView weak = new FakeView(3).cached(0, 3, 1);
    weak.storedBlocks[0] = 7;
    weak.storedBlocks[1] = 5;
    weak.storedBlocks[2] = 5;
    assertEquals(1, choose("cache_aware", weak));
    assertEquals(2, choose("cache_aware", weak.open(0, 2, 1)));
  }

  @Test
  void cacheAwareBalancesOnceRequestsDifferByMoreThan64AndHalf() {
    assertEquals(0, choose("cache_aware", new FakeView(2).cached(0, 9).open(0, 65)));
    assertEquals(1, choose("cache_aware", new FakeView(2).cached(0, 9).open(0, 64)));
    assertEquals(1, choose("cache_aware", new FakeView(2).cached(0, 9).open(200, 300)));
  }

  @Test
  void cacheAwareTreatsAPromptWithoutBlocksAsNoMatch() {
    FakeView view = new FakeView(2);
    view.promptBlocks = 0;
    view.storedBlocks[0] = 1;
    assertEquals(1, choose("cache_aware", view));
  }

  @Test
  void sessionsStayAtHomeUntilItIsGone() {
    RoutingPolicy policy = Policies.parse("session");
    FakeView view = new FakeView(3).outstanding(5, 1, 3);
    view.session = 77;
    assertEquals(1, policy.choose(view));
    view.outstanding(0, 100, 0);
    assertEquals(1, policy.choose(view));
    assertEquals(0, policy.choose(view.down(1)));
    view.available[1] = true;
    view.outstanding(9, 0, 0);
    assertEquals(0, policy.choose(view));
  }

  @Test
  void requestsWithoutASessionGoToTheLeastLoaded() {
    RoutingPolicy policy = Policies.parse("session");
    assertEquals(1, policy.choose(new FakeView(2).outstanding(5, 1)));
    assertEquals(0, policy.choose(new FakeView(2).outstanding(0, 1)));
  }

  @Test
  void blendWeighsCacheAgainstLoad() {
    FakeView view = new FakeView(2).cached(10, 0).outstanding(100, 0);
    assertEquals(0, choose("blend:0.75", view));
    assertEquals(1, choose("blend:0.25", view));
    // 0.5 · 1 − 0.5 · 1 = 0: a tie, which the lesser load wins.
    assertEquals(1, choose("blend:0.5", view));
  }

  @Test
  void powerOfTwoDrawsTwoDifferentReplicas() {
    Random random = new Random(42);
    RoutingPolicy policy = Policies.parse("power_of_two");
    for (int i = 0; i < 200; i++) {
      int first = random.nextInt(4);
      int other = random.nextInt(3);
      int second = other >= first ? other + 1 : other;
      FakeView view = new FakeView(4);
      view.outstandingTokens[first] = i % 2;
      assertEquals(i % 2 == 0 ? first : second, policy.choose(view));
    }
  }

  @Test
  void smoothWeightsAreServedEvenly() {
    RoutingPolicy policy = Policies.parse("weighted_round_robin");
    assertEquals(
        List.of(0, 0, 1, 0, 2, 0, 0), choices(policy, new FakeView(3).weights(5, 1, 1), 7));
  }

  @Test
  void withoutWeightsWeightedRoundRobinIsRoundRobin() {
    RoutingPolicy policy = Policies.parse("weighted_round_robin");
    assertEquals(List.of(0, 1, 2, 0, 1, 2), choices(policy, new FakeView(3), 6));
    assertEquals(List.of(0, 1, 2), choices(policy, new FakeView(3).weights(0, Double.NaN, -1), 3));
  }

  @Test
  void lmetricMultipliesWorkByQueue() {
    // 160 · 1, 80 · 3, 16 · 5
    assertEquals(2, choose("lmetric", new FakeView(3).cached(0, 5, 9).open(0, 2, 4)));
    // All zero: fewest open requests, then index.
    assertEquals(1, choose("lmetric", new FakeView(3).cached(10, 10, 10).open(3, 1, 1)));
  }

  @Test
  void adaptivePredictsTheTimeToFirstToken() {
    FakeView view = new FakeView(2).cached(10, 0);
    assertEquals(0, choose("adaptive", view));
    // 50 µs · 0.15 · 2000 is more than 50 µs · 160.
    view.backlogTokens[0] = 2000;
    assertEquals(1, choose("adaptive", view));
    view.microsPerToken[0] = 20;
    assertEquals(0, choose("adaptive", view));
    view.interceptMicros[0] = 9000;
    assertEquals(1, choose("adaptive", view));
  }

  @Test
  void adaptiveKeepsToTheLoadBound() {
    // 3 · (total 8 + 1) / 4 = 6.75: less than 7 open requests.
    assertEquals(0, choose("adaptive", new FakeView(4).cached(10, 0, 0, 0).open(6, 2, 0, 0)));
    assertEquals(2, choose("adaptive", new FakeView(4).cached(10, 0, 0, 0).open(7, 1, 0, 0)));
  }

  @Test
  void onlyTurnsAndChanceFollowNoMeasurement() {
    assertFalse(Policies.parse("round_robin").choiceDependsOnMeasurements());
    assertFalse(Policies.parse("random").choiceDependsOnMeasurements());
    assertTrue(Policies.parse("weighted_round_robin").choiceDependsOnMeasurements());
    assertTrue(Policies.parse("adaptive").choiceDependsOnMeasurements());
  }

  @Test
  void theLoadBoundFollowsTheWeights() {
    FakeView view = new FakeView(2).weights(1.5, 0.5).open(2, 2);
    Admissibility.Set admissible = new Admissibility().evaluate(view);
    // ceil(3 · 5 · 0.75) = 12, ceil(3 · 5 · 0.25) = 4
    assertTrue(admissible.contains(0));
    assertTrue(admissible.contains(1));
    view.open(2, 9);
    // ceil(3 · 12 · 0.25) = 9
    assertEquals(false, new Admissibility().evaluate(view).contains(1));
  }

  @Property(tries = 500)
  void theAdmissibleSetIsNeverEmpty(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int n) {
    Random random = new Random(seed);
    FakeView view = new FakeView(n);
    for (int i = 0; i < n; i++) {
      view.inFlight[i] = random.nextInt(50);
      view.weights[i] = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 4;
    }
    Admissibility.Set admissible = new Admissibility().evaluate(view);
    boolean any = false;
    for (int i = 0; i < n; i++) {
      any |= admissible.contains(i);
    }
    assertTrue(any);
  }
}
