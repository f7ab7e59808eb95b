package io.warmpath.routing.policy;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Greatest {@code w · cached share − (1 − w) · load share}, ties by least outstanding tokens, then
 * index. Load share is relative to the most loaded replica.
 */
final class Blend implements RoutingPolicy {

  static final String PREFIX = "blend:";

  private static final Pattern WEIGHT = Pattern.compile("0(\\.\\d{1,6})?|1(\\.0{1,6})?");

  private final String name;
  private final double cacheWeight;

  /**
   * @param weight decimal number from 0 to 1 with at most six decimals
   */
  Blend(String weight) {
    if (!WEIGHT.matcher(weight).matches()) {
      throw new IllegalArgumentException(
          "W in policy blend:W must be 0 to 1 with at most six decimals: '" + weight + "'");
    }
    this.cacheWeight = Double.parseDouble(weight);
    this.name = PREFIX + new BigDecimal(weight).stripTrailingZeros().toPlainString();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int choose(RoutingView view) {
    long mostTokens = mostOutstanding(view);
    int promptBlocks = view.promptBlocks();
    int best = NONE;
    double bestScore = 0;
    long bestTokens = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (!view.available(replica)) {
        continue;
      }
      long tokens = view.outstandingTokens(replica);
      double cached = promptBlocks == 0 ? 0 : (double) view.cachedBlocks(replica) / promptBlocks;
      double load = mostTokens == 0 ? 0 : (double) tokens / mostTokens;
      double score = cacheWeight * cached - (1 - cacheWeight) * load;
      if (best == NONE || score > bestScore || (score == bestScore && tokens < bestTokens)) {
        best = replica;
        bestScore = score;
        bestTokens = tokens;
      }
    }
    return best;
  }

  private static long mostOutstanding(RoutingView view) {
    long most = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (view.available(replica)) {
        most = Math.max(most, view.outstandingTokens(replica));
      }
    }
    return most;
  }
}
