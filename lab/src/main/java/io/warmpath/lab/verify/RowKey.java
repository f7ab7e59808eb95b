package io.warmpath.lab.verify;

import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.util.Comparator;
import java.util.List;

/**
 * Whose row it is, and of which window.
 *
 * @param model model
 * @param policy policy, or {@link RoutingStats#ALL}
 * @param replica replica, or {@link RoutingStats#ALL}
 * @param sizeMs length of the window
 * @param endMs first millisecond after it
 */
public record RowKey(String model, String policy, String replica, long sizeMs, long endMs)
    implements Comparable<RowKey> {

  private static final Comparator<RowKey> ORDER =
      Comparator.comparingLong(RowKey::endMs)
          .thenComparingLong(RowKey::sizeMs)
          .thenComparing(RowKey::model)
          .thenComparing(RowKey::policy)
          .thenComparing(RowKey::replica);

  /**
   * Reads the key of a record.
   *
   * @throws IllegalArgumentException if it is no row's
   */
  public static RowKey parse(String key) {
    List<String> parts = RecordKeys.parts(key);
    if (parts.size() != 5) {
      throw new IllegalArgumentException("'" + key + "' is no key of a row");
    }
    return new RowKey(
        parts.get(0),
        parts.get(1),
        parts.get(2),
        Long.parseLong(parts.get(3)),
        Long.parseLong(parts.get(4)));
  }

  /** First millisecond of it. */
  public long startMs() {
    return endMs - sizeMs;
  }

  /** Whether it is the row of all policies and replicas. */
  public boolean isTotal() {
    return policy.equals(RoutingStats.ALL) && replica.equals(RoutingStats.ALL);
  }

  @Override
  public int compareTo(RowKey other) {
    return ORDER.compare(this, other);
  }
}
