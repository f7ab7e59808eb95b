package io.warmpath.lab.simulate;

import io.warmpath.routing.control.ControlConfig;
import io.warmpath.routing.control.ControlLaw;
import io.warmpath.routing.control.ControlState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * What the jobs would publish to a balancer during a simulation: the control law over the first
 * tokens of the last 60 s, every 5 s, from the moment when the jobs could know them. Without a
 * valid publication all replicas count as equal.
 */
final class SpeedLearner {

  private static final long WINDOW_MICROS = 60_000_000;
  private static final long SLIDE_MICROS = 5_000_000;

  /** A window is complete when event time has passed its end by this much. */
  private static final long BOUND_MICROS = 2_000_000;

  private static final double EQUAL_WEIGHT = 1;
  private static final double EQUAL_MICROS_PER_TOKEN = 1;

  private final ControlConfig config = ControlConfig.DEFAULTS;
  private final ControlLaw law = new ControlLaw(config);
  private final LearningWindow window;
  private final Consumer<RoutingWeights> listener;
  private ControlState state = ControlState.INITIAL;

  /** First tokens that no window has seen; in simulations their time may lie ahead. */
  private final PriorityQueue<FirstTokenSample> pending =
      new PriorityQueue<>(Comparator.comparingLong(FirstTokenSample::timeMicros));

  private final Deque<FirstTokenSample> recent = new ArrayDeque<>();
  private long nextEndMicros = SLIDE_MICROS;

  private final double[] weights;
  private final double[] interceptMicros;
  private final double[] microsPerToken;
  private double backlogShare;
  private long validUntilMicros = Long.MIN_VALUE;

  /**
   * @param listener told all that is published
   */
  SpeedLearner(int replicas, Consumer<RoutingWeights> listener) {
    this.listener = listener;
    window = new LearningWindow(replicas, config.minSamples());
    weights = new double[replicas];
    interceptMicros = new double[replicas];
    microsPerToken = new double[replicas];
    forget();
  }

  /** Share of the backlog in the loads that first tokens are explained by. */
  double fittedBacklogShare() {
    return config.backlogShare();
  }

  /** Share of the backlog that the policy is told to count. */
  double backlogShare() {
    return backlogShare;
  }

  double weight(int replica) {
    return weights[replica];
  }

  double interceptMicros(int replica) {
    return interceptMicros[replica];
  }

  double microsPerToken(int replica) {
    return microsPerToken[replica];
  }

  /** Takes note of a first token, which may lie ahead. */
  void firstToken(FirstTokenSample sample) {
    pending.add(sample);
  }

  /** Publishes every window that is complete by now. */
  void advance(long nowMicros) {
    while (nextEndMicros + BOUND_MICROS <= nowMicros) {
      long end = nextEndMicros;
      fill(end);
      if (!recent.isEmpty()) {
        decide(end);
        nextEndMicros = end + SLIDE_MICROS;
      } else if (pending.isEmpty()) {
        break;
      } else {
        nextEndMicros =
            Math.max(
                end + SLIDE_MICROS,
                (pending.element().timeMicros() / SLIDE_MICROS + 1) * SLIDE_MICROS);
      }
    }
    if (nowMicros > validUntilMicros) {
      forget();
    }
  }

  private void fill(long endMicros) {
    while (!pending.isEmpty() && pending.element().timeMicros() < endMicros) {
      recent.addLast(pending.remove());
    }
    while (!recent.isEmpty() && recent.getFirst().timeMicros() < endMicros - WINDOW_MICROS) {
      recent.removeFirst();
    }
  }

  private void decide(long endMicros) {
    law.decide(state, window.of(endMicros, WINDOW_MICROS, recent))
        .ifPresent(
            decision -> {
              state = decision.next();
              publish(decision.weights(), endMicros);
            });
  }

  private void publish(RoutingWeights published, long endMicros) {
    List<ReplicaWeight> replicas = published.replicas();
    for (int i = 0; i < weights.length; i++) {
      weights[i] = replicas.get(i).weight();
      interceptMicros[i] = replicas.get(i).interceptUs();
      microsPerToken[i] = replicas.get(i).usPerToken();
    }
    backlogShare = published.backlogShare();
    listener.accept(published);
    validUntilMicros = endMicros + 1_000 * (published.validUntilMs() - published.windowEndMs());
  }

  private void forget() {
    backlogShare = config.backlogShare();
    Arrays.fill(weights, EQUAL_WEIGHT);
    Arrays.fill(interceptMicros, 0);
    Arrays.fill(microsPerToken, EQUAL_MICROS_PER_TOKEN);
  }
}
