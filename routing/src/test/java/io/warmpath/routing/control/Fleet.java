package io.warmpath.routing.control;

import io.warmpath.schemas.weights.RoutingWeights;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * A fleet in virtual time under the law: requests arrive as a Poisson stream at each replica, times
 * to first token scatter lognormally around 30 ms + 80 µs a token, and windows of 60 s are decided
 * on every 5 s.
 */
final class Fleet {

  /** Prompts of all lengths. */
  static final ToLongFunction<Random> SPREAD =
      random -> Math.min(30_000, (long) Math.exp(6.5 + 1.2 * random.nextGaussian()));

  /** Conversations: few cold prompts, many short ones on a warm cache. */
  static final ToLongFunction<Random> CONVERSATIONS =
      random ->
          random.nextInt(10) == 0
              ? 4000 + (long) (400 * random.nextGaussian())
              : 50 + random.nextInt(450);

  private static final double SIGMA = 0.3;
  private static final int PANES = 12;

  private final Random random;
  private final ToLongFunction<Random> prompts;
  private final double requestsPerSecond;
  private final double[] slowness;
  private final Deque<FitBins[]> panes = new ArrayDeque<>();
  private final ControlLaw law = new ControlLaw(ControlConfig.DEFAULTS);
  private ControlState state = ControlState.INITIAL;
  private long seconds;

  Fleet(long seed, ToLongFunction<Random> prompts, int replicas, double requestsPerSecond) {
    this.random = new Random(seed);
    this.prompts = prompts;
    this.requestsPerSecond = requestsPerSecond;
    this.slowness = new double[replicas];
    Arrays.fill(slowness, 1);
    for (int i = 1; i < PANES; i++) {
      panes.add(pane());
    }
  }

  /** From now on the replica takes so many times as long. */
  void slow(int replica, double factor) {
    slowness[replica] = factor;
  }

  /** Virtual time since the first decision. */
  long seconds() {
    return seconds;
  }

  /** Five more seconds of traffic, and the decision on the window that they end. */
  RoutingWeights next() {
    panes.add(pane());
    seconds += 5;
    Rows rows = Rows.ending(1_000_000 + 1000 * seconds).meanTokens(mean());
    for (int replica = 0; replica < slowness.length; replica++) {
      FitBins window = new FitBins();
      for (FitBins[] pane : panes) {
        window.merge(pane[replica]);
      }
      rows.replica("r" + replica, TheilSenFit.of(window, 15).orElse(null));
    }
    panes.remove();
    Decision decision = law.decide(state, rows.build()).orElseThrow();
    state = decision.next();
    return decision.weights();
  }

  private long mean() {
    Random fixed = new Random(1);
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
      sum += prompts.applyAsLong(fixed);
    }
    return sum / 1000;
  }

  private FitBins[] pane() {
    FitBins[] pane = new FitBins[slowness.length];
    for (int replica = 0; replica < pane.length; replica++) {
      pane[replica] = new FitBins();
      double wait = -Math.log(1 - random.nextDouble()) / requestsPerSecond;
      while (wait < 5) {
        long tokens = prompts.applyAsLong(random);
        double noise = Math.exp(SIGMA * random.nextGaussian());
        double micros = slowness[replica] * (30_000 + 80 * tokens) * noise;
        pane[replica].add(tokens, (long) micros);
        wait += -Math.log(1 - random.nextDouble()) / requestsPerSecond;
      }
    }
    return pane;
  }
}
