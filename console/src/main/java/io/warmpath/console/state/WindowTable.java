package io.warmpath.console.state;

import io.warmpath.schemas.stats.RoutingStats;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The newest row of each (policy, replica) for one model and window size. */
final class WindowTable {

  record Key(String policy, String replica) {

    static Key of(WindowRow row) {
      return new Key(row.policy(), row.replica());
    }

    boolean isTotal() {
      return policy.equals(RoutingStats.ALL) && replica.equals(RoutingStats.ALL);
    }

    boolean isPolicy() {
      return !policy.equals(RoutingStats.ALL) && replica.equals(RoutingStats.ALL);
    }

    boolean isReplica() {
      return policy.equals(RoutingStats.ALL) && !replica.equals(RoutingStats.ALL);
    }
  }

  /**
   * What is kept of a key.
   *
   * @param newest row of the latest window
   * @param busiest row with the most requests since the key was last silent: where an arm has
   *     ended, its last window holds only the tail, this one speaks for it
   */
  record Kept(WindowRow newest, WindowRow busiest) {}

  private final Map<Key, Kept> rows = new HashMap<>();
  private final long expiryMs;
  private long completeEndMs;

  WindowTable(long expiryMs) {
    this.expiryMs = expiryMs;
  }

  boolean holds(WindowRow row) {
    return rows.containsKey(Key.of(row));
  }

  void accept(WindowRow row) {
    Key key = Key.of(row);
    rows.merge(key, new Kept(row, row), (kept, ignored) -> next(kept, row));
    if (key.isTotal()) {
      // A model's last row of a window: whoever has no row by now had no traffic.
      completeEndMs = Math.max(completeEndMs, row.windowEndMs());
    }
  }

  private Kept next(Kept kept, WindowRow row) {
    if (row.windowEndMs() < kept.newest().windowEndMs()) {
      return kept;
    }
    boolean resumed =
        row.windowEndMs() - kept.newest().windowEndMs() > expiryMs + row.windowSizeMs();
    boolean replaced = row.windowEndMs() == kept.busiest().windowEndMs();
    boolean busier = row.requests() >= kept.busiest().requests();
    return new Kept(row, resumed || replaced || busier ? row : kept.busiest());
  }

  /** End of the newest window whose rows have all arrived; 0 before the first. */
  long completeEndMs() {
    return completeEndMs;
  }

  /** Whether the newest complete window, or one after it, has a row of this key. */
  boolean isLive(WindowRow row) {
    return row.windowEndMs() >= completeEndMs;
  }

  /** The fleet's row, or null. */
  WindowRow total() {
    Kept kept = rows.get(new Key(RoutingStats.ALL, RoutingStats.ALL));
    return kept == null ? null : kept.newest();
  }

  Collection<Map.Entry<Key, Kept>> entries() {
    return rows.entrySet();
  }

  int size() {
    return rows.size();
  }

  /**
   * Removes what is gone: policies after the whole retention, so that arms that took turns can be
   * compared; everything else soon after it left the newest window.
   */
  void prune(long retainedFromMs) {
    rows.entrySet()
        .removeIf(
            entry -> {
              long endMs = entry.getValue().newest().windowEndMs();
              boolean keptForComparison = entry.getKey().isPolicy() || entry.getKey().isTotal();
              return endMs < retainedFromMs
                  || (!keptForComparison && endMs < completeEndMs - expiryMs);
            });
  }
}
