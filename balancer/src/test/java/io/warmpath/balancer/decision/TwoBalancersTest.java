package io.warmpath.balancer.decision;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.prompt.Prompt;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two balancers in front of the same four replicas, in virtual time. Both follow the same weights
 * and know of their own requests only, as in production: neither may send the fleet's traffic where
 * the other sends it too.
 */
class TwoBalancersTest {

  private static final int REPLICAS = 4;
  private static final int REQUESTS = 8_000;
  private static final int CONVERSATIONS = 400;
  private static final int BLOCK = 64;
  private static final int TOKENS_OF_A_TURN = 256;
  private static final int TURNS = 12;
  private static final long DECODE_MICROS = 2_000_000;
  private static final double MEAN_MICROS_PER_TOKEN = 50;

  private final PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparingLong(Step::at));
  private final long[] freeAt = new long[REPLICAS];
  private long now;

  /** Something that happens at a time, µs. */
  private record Step(long at, Runnable action) {}

  @ParameterizedTest(name = "{0}, weights {1}")
  @CsvSource({
    "adaptive, 1 1 1 1",
    "adaptive, 1.2 1.2 1.2 0.4",
    "adaptive, 1.6 0.8 0.8 0.8",
    "weighted_round_robin, 1.6 0.8 0.8 0.8",
    "lmetric, 1 1 1 1",
  })
  void sendNoReplicaFarMoreThanItsShareOfABusyFleet(String policy, String weights) {
    double[] published = numbers(weights);
    double[] traffic = run(2, 0.9, policy, published);
    for (int i = 0; i < REPLICAS; i++) {
      double share = traffic[i] / (published[i] / REPLICAS);
      assertTrue(share <= 1.25, "replica " + i + " gets " + share + " times its share");
    }
  }

  /**
   * While a fast replica has time for all, {@code adaptive} sends it more than its share by design:
   * it is the fastest for each single request. Two balancers must not make that worse.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.7, 0.9})
  void crowdAFastReplicaNoMoreThanOneBalancerDoes(double load) {
    double[] weights = numbers("1.6 0.8 0.8 0.8");
    double ofOne = run(1, load, "adaptive", weights)[0];
    double ofTwo = run(2, load, "adaptive", weights)[0];
    assertTrue(ofTwo <= ofOne, ofTwo + " with two, " + ofOne + " with one");
  }

  private static double[] numbers(String text) {
    return Stream.of(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  /**
   * Each replica's share of the requests.
   *
   * @param load share of the fleet's time that the requests take if each computes its own turn and
   *     the one before, of which its balancer may not know
   */
  private double[] run(int count, double load, String policy, double[] weights) {
    now = 0;
    Arrays.fill(freeAt, 0);
    List<ModelRouter> balancers =
        Stream.generate(() -> balancer(policy, weights)).limit(count).toList();
    Random random = new Random(11);
    int[] turns = new int[CONVERSATIONS];
    int[] lives = new int[CONVERSATIONS];
    int[] counts = new int[REPLICAS];
    double meanGap = MEAN_MICROS_PER_TOKEN * 2 * TOKENS_OF_A_TURN / REPLICAS / load;
    long arrival = 0;
    for (int i = 0; i < REQUESTS; i++) {
      arrival += Math.round(-meanGap * Math.log(1 - random.nextDouble()));
      int conversation = random.nextInt(CONVERSATIONS);
      ModelRouter router = balancers.get(random.nextInt(count));
      steps.add(
          new Step(
              arrival,
              () -> {
                int turn = ++turns[conversation];
                int seed = conversation * 1_000 + lives[conversation];
                if (turn == TURNS) {
                  turns[conversation] = 0;
                  lives[conversation]++;
                }
                counts[serve(router, seed, turn, weights)]++;
              }));
    }
    while (!steps.isEmpty()) {
      Step step = steps.poll();
      now = step.at();
      step.action().run();
    }
    double[] traffic = new double[REPLICAS];
    for (int i = 0; i < REPLICAS; i++) {
      traffic[i] = counts[i] / (double) REQUESTS;
    }
    return traffic;
  }

  /** Routes a request and lets the replica compute its prompt after those before it. */
  private int serve(ModelRouter router, int seed, int turn, double[] weights) {
    PromptBlocks prompt = prompt(seed, turn * TOKENS_OF_A_TURN);
    Decision decision = router.route(new RouteQuery(prompt, seed, seed, null, Set.of(), 0));
    int replica = router.replicas().indexOf(decision.replica());
    long uncached = prompt.tokens() - decision.facts().chosenCachedTokens();
    double microsPerToken = MEAN_MICROS_PER_TOKEN / weights[replica];
    long first = Math.max(now, freeAt[replica]) + Math.round(uncached * microsPerToken);
    freeAt[replica] = first;
    steps.add(new Step(first, decision.open()::answering));
    steps.add(new Step(first + DECODE_MICROS, decision.open()::close));
    return replica;
  }

  private ModelRouter balancer(String policy, double[] weights) {
    List<Replica> replicas =
        IntStream.range(0, REPLICAS)
            .mapToObj(
                i ->
                    new Replica(
                        "replica-" + i,
                        URI.create("http://127.0.0.1:" + (9001 + i)),
                        new ReplicaHealth(HealthSettings.DEFAULTS, () -> now * 1_000)))
            .toList();
    WeightsState state = new WeightsState("m");
    List<ReplicaWeight> published = new ArrayList<>();
    for (int i = 0; i < REPLICAS; i++) {
      published.add(
          new ReplicaWeight(
              "replica-" + i,
              weights[i],
              ReplicaState.ACTIVE,
              1_000,
              MEAN_MICROS_PER_TOKEN / weights[i],
              500,
              "target"));
    }
    state.accept(new RoutingWeights("m", 1, 10_000_000_000L, 1, 0.25, null, published, List.of()));
    return new ModelRouter(
        "m",
        replicas,
        new PrefixIndex(IndexBounds.DEFAULTS),
        state,
        List.of(new Arm(policy, 1)),
        () -> now / 1_000 + 1,
        () -> now * 1_000);
  }

  private static PromptBlocks prompt(int seed, int tokens) {
    int[] ids = IntStream.range(0, tokens).map(i -> i * 31 + seed).toArray();
    return new PromptEncoder(TokenizerKind.QUAD, BLOCK).encode(new Prompt.Tokens(List.of(ids)), "");
  }
}
