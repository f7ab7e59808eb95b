package io.warmpath.lab.shadow;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warmpath.lab.SharedData;
import io.warmpath.lab.replay.SmallTraces;
import io.warmpath.lab.simulate.FifoSimulation;
import io.warmpath.lab.simulate.FleetOptions;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceReader;
import io.warmpath.routing.prompt.ContentHash;
import io.warmpath.routing.shadow.SampleRate;
import io.warmpath.routing.shadow.ShadowModel;
import io.warmpath.routing.shadow.ShadowSettings;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.stats.ShadowStats.Capacity;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With {@code round_robin} live, what the shadow says of other policies is what a run of them
 * gives.
 */
class ShadowAgreementTest {

  private static final List<String> BOTH = List.of("prefix_affinity", "adaptive");
  private static final List<Double> FACTORS = List.of(0.5, 1.0, 2.0, 4.0);

  /** All of a run is one window. */
  private static final long WINDOW_MS = 1L << 40;

  /** Not {@code adaptive}: at 0.1 it is off by more than is stated here, see docs/shadow.md. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void prefixAffinityAgreesOnConversationsThatComeAndGo(long seed) throws IOException {
    agrees(comingAndGoing(seed), List.of("prefix_affinity"), 4, 5_000, FACTORS, 0.05);
  }

  /** Caches are far too small for conversations to stay, under either policy. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void bothAgreeWhereMemoryIsShort(long seed) throws IOException {
    agrees(comingAndGoing(seed), BOTH, 4, 1_500, FACTORS.subList(0, 2), 0.07);
  }

  /** All prompts begin with the same block, so that nothing is left to be chosen by load. */
  @Test
  void withAllBlocksPrefixAffinityIsExactWhereItGoesByPrefixesOnly() throws IOException {
    Trace trace = comingAndGoing(1);
    RecordedRun live = RecordedRun.of(trace, FleetOptions.of(4, 1_500), "round_robin", 1);
    ShadowStats row = shadow(live, List.of("prefix_affinity"), 1_500, 1).get(0);
    for (Capacity each : row.capacities()) {
      assertEquals(
          real(trace, "prefix_affinity", 4, 1_500, each.factor()), each.tokenHitRate(), 1e-9);
    }
  }

  /** The stated errors are small enough to tell one policy from the other. */
  @Test
  void aShadowOfOnePolicyDoesNotAgreeWithARunOfTheOther() throws IOException {
    Trace trace = comingAndGoing(1);
    RecordedRun live = RecordedRun.of(trace, FleetOptions.of(4, 1_500), "round_robin", 1);
    for (double rate : List.of(1.0, 0.1)) {
      List<ShadowStats> rows = shadow(live, BOTH, 1_500, rate);
      for (int i = 0; i < FACTORS.size(); i++) {
        for (int policy = 0; policy < BOTH.size(); policy++) {
          Capacity each = rows.get(policy).capacities().get(i);
          double other = real(trace, BOTH.get(1 - policy), 4, 1_500, FACTORS.get(i));
          double error = Math.hypot(each.tokenHitRateError(), each.tokenHitRateModelError());
          assertTrue(Math.abs(each.tokenHitRate() - other) > error, () -> each + " and " + other);
        }
      }
    }
  }

  @Test
  void agreesOnARecordedHourOfFourReplicas() throws IOException {
    agrees(recordedHour(), BOTH, 4, 3_000, FACTORS, 0.03);
  }

  @Test
  void agreesOnARecordedHourOfEightReplicas() throws IOException {
    agrees(recordedHour(), BOTH, 8, 5_859, FACTORS, 0.03);
  }

  private static Trace comingAndGoing(long seed) throws IOException {
    return SmallTraces.comingAndGoing(4_000, 60, seed);
  }

  private static Trace recordedHour() throws IOException {
    Optional<Path> folder = SharedData.folder("mooncake");
    assumeTrue(folder.isPresent(), "no ../shared/data/mooncake beside this checkout");
    return TraceReader.read(folder.get().resolve("conversation_trace.jsonl.gz"));
  }

  /**
   * @param factors the lowest of {@link #FACTORS}
   * @param widest an error above this would agree with anything
   */
  private static void agrees(
      Trace trace,
      List<String> policies,
      int replicas,
      int capacityBlocks,
      List<Double> factors,
      double widest) {
    RecordedRun live =
        RecordedRun.of(trace, FleetOptions.of(replicas, capacityBlocks), "round_robin", 1);
    List<ShadowStats> whole = shadow(live, policies, capacityBlocks, 1);
    List<ShadowStats> tenth = shadow(live, policies, capacityBlocks, 0.1);
    List<Executable> comparisons = new ArrayList<>();
    for (int policy = 0; policy < policies.size(); policy++) {
      for (int i = 0; i < factors.size(); i++) {
        double real = real(trace, policies.get(policy), replicas, capacityBlocks, factors.get(i));
        Capacity all = whole.get(policy).capacities().get(i);
        Capacity sampled = tenth.get(policy).capacities().get(i);
        String name = policies.get(policy) + " at " + factors.get(i) + ", real " + real + ": ";
        comparisons.add(() -> assertEquals(0, all.tokenHitRateError()));
        comparisons.add(
            () -> assertTrue(sampled.tokenHitRateError() < widest, () -> name + sampled));
        comparisons.add(() -> assertTrue(all.tokenHitRateModelError() < widest, () -> name + all));
        comparisons.add(() -> assertWithin(all.tokenHitRateModelError(), real, all, name));
        comparisons.add(() -> assertWithin(sampled.tokenHitRateError(), real, sampled, name));
      }
    }
    assertAll(comparisons);
  }

  private static double real(
      Trace trace, String policy, int replicas, int capacityBlocks, double factor) {
    FleetOptions fleet = FleetOptions.of(replicas, (int) Math.round(factor * capacityBlocks));
    return FifoSimulation.run(trace, fleet, policy).tokenHitRate();
  }

  private static void assertWithin(double error, double real, Capacity shadow, String name) {
    assertTrue(Math.abs(shadow.tokenHitRate() - real) <= error, () -> name + shadow);
  }

  /** Rows of the policies over a run, without Kafka and Flink. */
  private static List<ShadowStats> shadow(
      RecordedRun live, List<String> policies, int capacityBlocks, double rate) {
    ShadowModel shadows =
        new ShadowModel(
            RecordedRun.MODEL,
            new ShadowSettings(policies, FACTORS, capacityBlocks, new SampleRate(rate), WINDOW_MS));
    int published = 0;
    for (RequestEvent event : live.events()) {
      long timeMs = event.context().eventTimeMs();
      List<RoutingWeights> weights = live.weights();
      while (published < weights.size() && RecordedRun.timeMs(weights.get(published)) <= timeMs) {
        shadows.publish(weights.get(published++));
      }
      if (event instanceof Routed routed) {
        shadows.route(
            timeMs,
            ContentHash.of(routed.context().requestId()),
            routed.context().replica(),
            routed.facts().promptTokens(),
            routed.prefix(),
            0);
      } else if (event instanceof Finished finished) {
        shadows.answered(finished.outputTokens(), finished.e2eUs() - finished.ttftUs());
      }
    }
    return shadows.closeUpTo(Long.MAX_VALUE);
  }
}
