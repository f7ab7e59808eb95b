package io.warmpath.jobs.window;

import io.warmpath.schemas.stats.RoutingStats;
import java.util.Comparator;

/**
 * The place of a row among those of its model: by window end, window size, policy, replica, with
 * the total last of its window.
 *
 * @param endMs end of the window
 * @param sizeMs size of the window
 * @param policy policy
 * @param replica replica
 */
public record RowPlace(long endMs, long sizeMs, String policy, String replica)
    implements Comparable<RowPlace> {

  private static final Comparator<RowPlace> ORDER =
      Comparator.comparingLong(RowPlace::endMs)
          .thenComparingLong(RowPlace::sizeMs)
          .thenComparing(RowPlace::isTotal)
          .thenComparing(RowPlace::policy)
          .thenComparing(RowPlace::replica);

  /** The place of a row. */
  public static RowPlace of(RoutingStats row) {
    return new RowPlace(row.windowEndMs(), row.windowSizeMs(), row.policy(), row.replica());
  }

  private boolean isTotal() {
    return policy.equals(RoutingStats.ALL) && replica.equals(RoutingStats.ALL);
  }

  @Override
  public int compareTo(RowPlace other) {
    return ORDER.compare(this, other);
  }
}
