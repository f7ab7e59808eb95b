package io.warmpath.lab.follow;

import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Picks rows from a history of {@code llm.routing-stats}. */
public final class StatsRows {

  private StatsRows() {}

  /** The last row of each key of one window, whatever came before it. */
  public static Collection<RoutingStats> of(
      List<Seen<RoutingStats>> rows, long endMs, long sizeMs) {
    Map<String, RoutingStats> newest = new LinkedHashMap<>();
    for (Seen<RoutingStats> row : rows) {
      if (row.value().windowEndMs() == endMs && row.value().windowSizeMs() == sizeMs) {
        newest.put(RecordKeys.of(row.value()), row.value());
      }
    }
    return newest.values();
  }

  /** Whether the total of a window is there and final: all rows of the window are then. */
  public static boolean isComplete(Collection<RoutingStats> window) {
    return window.stream().anyMatch(row -> row.isTotal() && !row.provisional());
  }

  /**
   * The rows of one policy and replica over disjoint windows that end at {@code endMs} and reach
   * back to {@code startMs} at least. A window without events of that key has no row.
   *
   * @return empty as long as one of the windows is not complete
   */
  public static Optional<List<RoutingStats>> cover(
      List<Seen<RoutingStats>> rows,
      String policy,
      String replica,
      long startMs,
      long endMs,
      long sizeMs) {
    List<RoutingStats> cover = new ArrayList<>();
    for (long end = endMs; end > startMs; end -= sizeMs) {
      Collection<RoutingStats> window = of(rows, end, sizeMs);
      if (!isComplete(window)) {
        return Optional.empty();
      }
      window.stream()
          .filter(row -> row.policy().equals(policy) && row.replica().equals(replica))
          .forEach(cover::add);
    }
    return Optional.of(cover);
  }

  /** The first multiple of {@code slideMs} after a time: the end of the first window beyond it. */
  public static long firstEndAfter(long timeMs, long slideMs) {
    return (Math.floorDiv(timeMs, slideMs) + 1) * slideMs;
  }
}
