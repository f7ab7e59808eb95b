package io.warmpath.lab.verify;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * How far the live job had come with its rows. It emits a model's rows by the end of their window,
 * and those of older windows again before the next newer ones; so whatever it had read by the time
 * of a model's last row is in the rows before it.
 */
final class LiveFront {

  /** A model without rows for longer has no traffic, and says nothing of the job. */
  private static final long ACTIVE_MS = 60_000;

  /**
   * A model's last row.
   *
   * @param endMs end of its window
   * @param writtenMs when it was written
   */
  private record Last(long endMs, long writtenMs) {}

  private final Map<String, Last> lastByModel = new HashMap<>();

  /** Notes a row; those of a model in their order. */
  void row(RowKey key, long writtenMs) {
    lastByModel.put(key.model(), new Last(key.endMs(), writtenMs));
  }

  /** The windows that end before this are out, with all that was read by then. */
  long endMs() {
    return active().stream().mapToLong(Last::endMs).min().orElse(Long.MIN_VALUE);
  }

  /** When that could first be seen, by the job's clock. */
  long writtenMs() {
    return active().stream().mapToLong(Last::writtenMs).min().orElse(Long.MIN_VALUE);
  }

  private Collection<Last> active() {
    long newestMs = lastByModel.values().stream().mapToLong(Last::endMs).max().orElse(0);
    return lastByModel.values().stream().filter(last -> last.endMs > newestMs - ACTIVE_MS).toList();
  }
}
