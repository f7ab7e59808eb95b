package io.warmpath.lab.exactness;

import io.warmpath.lab.truth.Arrival;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * What became of the request records of a log.
 *
 * @param onTime events counted in their windows, those ahead among them
 * @param ahead those that were counted at their record's timestamp
 * @param late events counted in their windows, too late for the bound
 * @param dropped events counted as dropped
 * @param duplicates copies counted as such
 * @param malformed records refused, by reason
 */
record Account(
    long onTime,
    long ahead,
    long late,
    long dropped,
    long duplicates,
    Map<Reason, Long> malformed) {

  /** What a job says, in windows of one size that follow each other and in its dead letters. */
  static Account of(Collection<RoutingStats> rows, long sizeMs, Collection<DeadLetter> letters) {
    long counted = 0;
    long ahead = 0;
    long late = 0;
    long dropped = 0;
    long duplicates = 0;
    for (RoutingStats row : rows) {
      if (row.isTotal() && row.windowSizeMs() == sizeMs && row.windowEndMs() % sizeMs == 0) {
        // The end of a request counts as a request, its first token as a time to it.
        counted += row.requests() + row.ttft().count();
        ahead += row.skewed();
        late += row.late();
        dropped += row.dropped();
        duplicates += row.duplicates();
      }
    }
    Map<Reason, Long> malformed = new EnumMap<>(Reason.class);
    letters.forEach(letter -> malformed.merge(letter.reason(), 1L, Long::sum));
    return new Account(counted - late, ahead, late, dropped, duplicates, malformed);
  }

  /** What it must say of a log. */
  static Account of(Map<Arrival, Long> arrivals, Map<Reason, Long> refusals) {
    long ahead = arrivals.get(Arrival.AHEAD);
    return new Account(
        arrivals.get(Arrival.ON_TIME) + ahead,
        ahead,
        arrivals.get(Arrival.LATE),
        arrivals.get(Arrival.DROPPED),
        arrivals.get(Arrival.COPY),
        refusals);
  }

  /** All records, each of them once. */
  long records() {
    return onTime + late + dropped + duplicates + refused();
  }

  private long refused() {
    return malformed.values().stream().mapToLong(Long::longValue).sum();
  }
}
