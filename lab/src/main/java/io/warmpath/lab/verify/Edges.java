package io.warmpath.lab.verify;

import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Where the log says what a row should be, and where it cannot.
 *
 * @param startMs windows that begin before this may lack events
 * @param frontMs windows that end at this or later may not be out yet
 * @param untouchedUntilMs windows that end later may be changed by events that the job had not
 *     read, or read after the log was looked at
 * @param firstMs time of the first event
 * @param lastMs time of the last event that is replayed
 * @param keptFromMsByTime times of events that came when windows before the time beside it might
 *     not be emitted any more
 * @param lossMsByModel times at which a model's balancers are first heard of with earlier losses
 */
record Edges(
    long startMs,
    long frontMs,
    long untouchedUntilMs,
    long firstMs,
    long lastMs,
    NavigableMap<Long, Long> keptFromMsByTime,
    Map<String, TreeSet<Long>> lossMsByModel) {

  /** Why the log does not say what a row should be; empty if it does. */
  Optional<Reason> undetermined(RowKey row) {
    if (row.startMs() < startMs) {
      return Optional.of(Reason.LOG_BEGINS);
    }
    if (row.endMs() >= frontMs || row.endMs() > untouchedUntilMs) {
      return Optional.of(Reason.NOT_CLOSED);
    }
    if (keptFromMsByTime.subMap(row.startMs(), row.endMs()).values().stream()
        .anyMatch(keptFromMs -> row.startMs() < keptFromMs)) {
      return Optional.of(Reason.BACK_AFTER_RETENTION);
    }
    if (row.isTotal() && holds(row, lossMsByModel.getOrDefault(row.model(), new TreeSet<>()))) {
      return Optional.of(Reason.LOSS_UNKNOWN);
    }
    return Optional.empty();
  }

  /** Whether a window holds time that was replayed. */
  boolean overlaps(RowKey row) {
    return row.startMs() <= lastMs && row.endMs() > firstMs;
  }

  private static boolean holds(RowKey row, NavigableSet<Long> timesMs) {
    Long first = timesMs.ceiling(row.startMs());
    return first != null && first < row.endMs();
  }
}
