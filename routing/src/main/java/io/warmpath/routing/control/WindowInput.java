package io.warmpath.routing.control;

import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * One complete window as the law reads it.
 *
 * @param total the row over all policies and replicas
 * @param replicas the row of each replica over all policies, sorted by replica
 */
public record WindowInput(RoutingStats total, List<RoutingStats> replicas) {

  private static final double USUAL_TOKENS = 500;

  public WindowInput {
    replicas = List.copyOf(replicas);
  }

  /**
   * The window that {@code total} completes.
   *
   * @param rows rows read so far; those of other windows, of single policies and roll-ups over
   *     replicas are left out, and of two rows of one replica the later counts
   * @throws IllegalArgumentException if {@code total} is not a row over all
   */
  public static WindowInput of(RoutingStats total, Collection<RoutingStats> rows) {
    if (!total.isTotal()) {
      throw new IllegalArgumentException(
          "not a row over all: " + total.policy() + "|" + total.replica());
    }
    TreeMap<String, RoutingStats> byReplica = new TreeMap<>();
    for (RoutingStats row : rows) {
      if (belongs(row, total)) {
        byReplica.put(row.replica(), row);
      }
    }
    return new WindowInput(total, List.copyOf(byReplica.values()));
  }

  private static boolean belongs(RoutingStats row, RoutingStats total) {
    return row.model().equals(total.model())
        && row.windowEndMs() == total.windowEndMs()
        && row.windowStartMs() == total.windowStartMs()
        && row.policy().equals(RoutingStats.ALL)
        && !row.replica().equals(RoutingStats.ALL);
  }

  long windowEndMs() {
    return total.windowEndMs();
  }

  /** The replica's fit, or null where there is none with enough samples. */
  static FitStats fit(RoutingStats row, int minSamples) {
    FitStats fit = row.fit();
    return fit == null || fit.samples() < minSamples || !(fit.usPerToken() > 0) ? null : fit;
  }

  /**
   * Uncached tokens of a typical prompt, or a usual value where the window does not say: half the
   * mean, since few long prompts make the mean, and near the middle of its loads a fit is surest.
   */
  double typicalTokens() {
    long known = total.requests() - total.unknownCachedRequests();
    long uncached = total.promptTokens() - total.cachedTokens();
    return known > 0 && uncached > 0 ? 0.5 * uncached / known : USUAL_TOKENS;
  }
}
