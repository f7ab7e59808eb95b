package io.warmpath.routing.policy;

/**
 * The router rule of SGLang with its command-line defaults, on true cache contents: balance by open
 * requests once they differ too much; else go where more than a share of the prompt is cached; else
 * to the emptiest cache.
 */
final class CacheAware implements RoutingPolicy {

  private static final double CACHE_THRESHOLD = 0.3;
  private static final int BALANCE_ABSOLUTE = 64;
  private static final double BALANCE_RELATIVE = 1.5;

  @Override
  public String name() {
    return "cache_aware";
  }

  @Override
  public int choose(RoutingView view) {
    if (isUnbalanced(view)) {
      return fewestRequests(view);
    }
    int best = mostCached(view);
    if (best == NONE) {
      return NONE;
    }
    int promptBlocks = view.promptBlocks();
    boolean matches =
        promptBlocks > 0 && (double) view.cachedBlocks(best) / promptBlocks > CACHE_THRESHOLD;
    return matches ? best : emptiestCache(view);
  }

  private static boolean isUnbalanced(RoutingView view) {
    int most = 0;
    int fewest = Integer.MAX_VALUE;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (view.available(replica)) {
        most = Math.max(most, view.inFlight(replica));
        fewest = Math.min(fewest, view.inFlight(replica));
      }
    }
    return most - fewest > BALANCE_ABSOLUTE && most > BALANCE_RELATIVE * fewest;
  }

  private static int fewestRequests(RoutingView view) {
    int best = NONE;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (view.available(replica)
          && (best == NONE || view.inFlight(replica) < view.inFlight(best))) {
        best = replica;
      }
    }
    return best;
  }

  private static int mostCached(RoutingView view) {
    int best = NONE;
    int bestBlocks = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (!view.available(replica)) {
        continue;
      }
      int blocks = view.cachedBlocks(replica);
      if (best == NONE
          || blocks > bestBlocks
          || (blocks == bestBlocks && view.inFlight(replica) < view.inFlight(best))) {
        best = replica;
        bestBlocks = blocks;
      }
    }
    return best;
  }

  private static int emptiestCache(RoutingView view) {
    int best = NONE;
    long bestStored = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (!view.available(replica)) {
        continue;
      }
      long stored = view.storedBlocks(replica);
      if (best == NONE
          || stored < bestStored
          || (stored == bestStored && view.inFlight(replica) < view.inFlight(best))) {
        best = replica;
        bestStored = stored;
      }
    }
    return best;
  }
}
