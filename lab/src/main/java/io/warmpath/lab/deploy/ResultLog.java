package io.warmpath.lab.deploy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The final results on a topic since some time: of each key the last. */
final class ResultLog {

  /** Results are kept until the deployment ends; a busier topic is compared for a shorter time. */
  private static final int MAX_RESULTS = 1_000_000;

  private record Held(ResultRow row, byte[] value) {}

  private final Source source;
  private final Map<String, Held> results = new HashMap<>();
  private final Map<String, Long> fronts = new HashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<String> repeated = new LinkedHashSet<>();
  private long front = Long.MIN_VALUE;

  /** Where results come from. */
  interface Source {

    /** Gives what has come since the last time, oldest first. */
    void readOn(BiConsumer<ResultRow, byte[]> into);
  }

  /** A log that holds nothing yet. */
  ResultLog(Source source) {
    this.source = source;
  }

  /** Reads what has come. */
  void readOn() {
    source.readOn(this::take);
  }

  private void take(ResultRow row, byte[] value) {
    Held before = results.put(row.key(), new Held(row, value));
    if (before != null && Arrays.equals(before.value, value)) {
      repeated.add(row.key());
    }
    if (results.size() > MAX_RESULTS) {
      throw new IllegalStateException(
          "more than " + MAX_RESULTS + " results; give a shorter --compare-for");
    }
    changed.add(row.key());
    fronts.merge(row.group(), row.endMs(), Math::max);
    front = Math.max(front, row.endMs());
  }

  /** The latest end of any window. */
  long frontMs() {
    return front;
  }

  /** Windows of a group that end before this are all here. */
  long completeBeforeMs(String group, long settleMs) {
    long others = front == Long.MIN_VALUE ? front : front - settleMs;
    return Math.max(fronts.getOrDefault(group, Long.MIN_VALUE), others);
  }

  /** The result of a key; null if there is none. */
  ResultRow row(String key) {
    Held held = results.get(key);
    return held == null ? null : held.row;
  }

  /** Its value as it lies there; null if there is none. */
  byte[] value(String key) {
    Held held = results.get(key);
    return held == null ? null : held.value;
  }

  /** Keys of which something came since the last time. */
  Set<String> takeChanged() {
    Set<String> taken = new LinkedHashSet<>(changed);
    changed.clear();
    return taken;
  }

  /** Keys of which the same result came again since the last time. */
  Set<String> takeRepeated() {
    Set<String> taken = new LinkedHashSet<>(repeated);
    repeated.clear();
    return taken;
  }
}
