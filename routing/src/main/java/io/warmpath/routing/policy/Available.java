package io.warmpath.routing.policy;

/** The replicas that may be chosen at all, counted and picked by position. */
final class Available {

  private Available() {}

  /** How many replicas are available. */
  static int count(RoutingView view) {
    int count = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (view.available(replica)) {
        count++;
      }
    }
    return count;
  }

  /** The available replica with {@code position} available ones before it. */
  static int at(RoutingView view, int position) {
    int left = position;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (view.available(replica) && left-- == 0) {
        return replica;
      }
    }
    return RoutingPolicy.NONE;
  }

  /** The available replica with the least outstanding tokens, the first of several. */
  static int leastLoaded(RoutingView view) {
    int least = RoutingPolicy.NONE;
    long leastTokens = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (!view.available(replica)) {
        continue;
      }
      long tokens = view.outstandingTokens(replica);
      if (least == RoutingPolicy.NONE || tokens < leastTokens) {
        least = replica;
        leastTokens = tokens;
      }
    }
    return least;
  }
}
