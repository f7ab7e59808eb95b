package io.warmpath.routing.policy;

/**
 * Least predicted time to first token, {@code intercept + µs a token · (uncached + backlog share ·
 * backlog)}, over the admissible replicas; ties by open requests, then index.
 */
final class Adaptive implements RoutingPolicy {

  private final Admissibility admissibility = new Admissibility();

  @Override
  public String name() {
    return "adaptive";
  }

  @Override
  public int choose(RoutingView view) {
    Admissibility.Set admissible = admissibility.evaluate(view);
    int best = NONE;
    double bestMicros = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (!admissible.contains(replica)) {
        continue;
      }
      double micros = predictedMicros(view, replica);
      if (best == NONE
          || micros < bestMicros
          || (micros == bestMicros && view.inFlight(replica) < view.inFlight(best))) {
        best = replica;
        bestMicros = micros;
      }
    }
    return best;
  }

  private static double predictedMicros(RoutingView view, int replica) {
    double load = view.uncachedTokens(replica) + view.backlogShare() * view.backlogTokens(replica);
    double micros = view.interceptMicros(replica) + view.microsPerToken(replica) * load;
    return Double.isNaN(micros) ? Double.POSITIVE_INFINITY : micros;
  }
}
