package io.warmpath.routing.policy;

/** Least outstanding tokens, ties by index. */
final class LeastLoaded implements RoutingPolicy {

  @Override
  public String name() {
    return "least_loaded";
  }

  @Override
  public int choose(RoutingView view) {
    return Available.leastLoaded(view);
  }
}
