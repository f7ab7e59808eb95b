package io.warmpath.routing.policy;

/** Request i goes to replica i mod N, or to the next one that is available. */
final class RoundRobin implements RoutingPolicy {

  private long requests;

  @Override
  public String name() {
    return "round_robin";
  }

  @Override
  public int choose(RoutingView view) {
    int n = view.replicas();
    if (n == 0) {
      return NONE;
    }
    int first = (int) (requests++ % n);
    for (int offset = 0; offset < n; offset++) {
      int replica = (first + offset) % n;
      if (view.available(replica)) {
        return replica;
      }
    }
    return NONE;
  }
}
