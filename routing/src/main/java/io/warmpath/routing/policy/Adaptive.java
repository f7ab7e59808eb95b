package io.warmpath.routing.policy;

/** Least {@link PredictedTtft} over the admissible replicas; ties by open requests, then index. */
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
      double micros = PredictedTtft.micros(view, replica);
      if (best == NONE
          || micros < bestMicros
          || (micros == bestMicros && view.inFlight(replica) < view.inFlight(best))) {
        best = replica;
        bestMicros = micros;
      }
    }
    return best;
  }
}
