package io.warmpath.routing.policy;

/** Least {@code uncached tokens × (open requests + 1)}, ties by open requests, then index. */
final class LeastMetric implements RoutingPolicy {

  @Override
  public String name() {
    return "lmetric";
  }

  @Override
  public int choose(RoutingView view) {
    int best = NONE;
    long bestMetric = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (!view.available(replica)) {
        continue;
      }
      long metric = view.uncachedTokens(replica) * (view.inFlight(replica) + 1L);
      if (best == NONE
          || metric < bestMetric
          || (metric == bestMetric && view.inFlight(replica) < view.inFlight(best))) {
        best = replica;
        bestMetric = metric;
      }
    }
    return best;
  }
}
