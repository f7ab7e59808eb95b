package io.warmpath.routing.policy;

import java.util.Random;

/** Any available replica, one draw of {@code java.util.Random(42)} a request. */
final class RandomChoice implements RoutingPolicy {

  private final Random random = new Random(42);

  @Override
  public String name() {
    return "random";
  }

  @Override
  public int choose(RoutingView view) {
    int count = Available.count(view);
    return count == 0 ? NONE : Available.at(view, random.nextInt(count));
  }
}
