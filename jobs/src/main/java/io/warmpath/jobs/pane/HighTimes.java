package io.warmpath.jobs.pane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The highest event time accepted so far in each partition. */
final class HighTimes {

  /**
   * Of a partition that nothing was accepted from; so low that nothing is late, with room below.
   */
  static final long NONE = Long.MIN_VALUE / 2;

  private record Place(String topic, int partition) {}

  private final Map<Place, Long> highs = new HashMap<>();

  /** The highest time of a partition, {@link #NONE} where there is none yet. */
  long of(String topic, int partition) {
    return highs.getOrDefault(new Place(topic, partition), NONE);
  }

  /** Raises a partition's highest time, never lowers it. */
  void raise(String topic, int partition, long timeMs) {
    highs.merge(new Place(topic, partition), timeMs, Math::max);
  }

  /** Takes in what state holds; several subtasks may have known the same partition. */
  void restore(Iterable<HighTime> entries) {
    entries.forEach(entry -> raise(entry.topic(), entry.partition(), entry.highMs()));
  }

  /** All of it for state. */
  List<HighTime> entries() {
    List<HighTime> entries = new ArrayList<>(highs.size());
    highs.forEach(
        (place, highMs) -> entries.add(new HighTime(place.topic, place.partition, highMs)));
    return entries;
  }
}
