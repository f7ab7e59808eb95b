package io.warmpath.routing.policy;

/** Most cached blocks of the prompt, ties by least outstanding tokens, then index. */
final class PrefixAffinity implements RoutingPolicy {

  @Override
  public String name() {
    return "prefix_affinity";
  }

  @Override
  public int choose(RoutingView view) {
    int best = NONE;
    int bestBlocks = 0;
    long bestTokens = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (!view.available(replica)) {
        continue;
      }
      int blocks = view.cachedBlocks(replica);
      long tokens = view.outstandingTokens(replica);
      if (best == NONE || blocks > bestBlocks || (blocks == bestBlocks && tokens < bestTokens)) {
        best = replica;
        bestBlocks = blocks;
        bestTokens = tokens;
      }
    }
    return best;
  }
}
