package io.warmpath.lab.verify;

import io.warmpath.jobs.combine.Lateness;
import io.warmpath.jobs.window.PaneRing;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Events that came when windows which hold them might not be emitted any more. The live job waits
 * for each partition but those that are silent, so that one which comes back may bring events from
 * before what the job keeps for the others; how far the others were is read off the times at which
 * records were written. All times in whole seconds, rounded so that rather too much is found.
 */
final class ReturnedEvents {

  private static final long SECOND_MS = 1_000;

  /** An event behind its partition; the job waited for a partition that is not behind others. */
  private record Late(long timeMs, long writtenMs, long partitionHighMs) {}

  private final Lateness lateness;
  private final TreeMap<Long, Long> highestByWritten = new TreeMap<>();
  private final Map<Long, Long> lastWrittenByTime = new HashMap<>();
  private final Set<Late> late = new HashSet<>();

  ReturnedEvents(Lateness lateness) {
    this.lateness = lateness;
  }

  /**
   * Takes in an event; those of a partition in their order, partitions in any.
   *
   * @param timeMs the time that it is counted at
   * @param partitionHighMs highest time of its partition, with this event
   * @param writtenMs its record's timestamp
   */
  void event(long timeMs, long partitionHighMs, long writtenMs) {
    long second = second(timeMs);
    long written = second(writtenMs);
    highestByWritten.merge(written, partitionHighMs, Math::max);
    if (timeMs < partitionHighMs - lateness.boundMs()) {
      late.add(new Late(second, written, second(partitionHighMs)));
    } else {
      lastWrittenByTime.merge(second, written, Math::max);
    }
  }

  private static long second(long timeMs) {
    return Math.floorDiv(timeMs, SECOND_MS) * SECOND_MS;
  }

  /**
   * Times of such events, with the time of the oldest pane that was still kept when the event came:
   * windows that begin before that, and hold the event, may lack it.
   */
  NavigableMap<Long, Long> keptFromMsByTime() {
    TreeMap<Long, Long> highest = new TreeMap<>();
    long highMs = Long.MIN_VALUE;
    for (Map.Entry<Long, Long> entry : highestByWritten.entrySet()) {
      highMs = Math.max(highMs, entry.getValue());
      highest.put(entry.getKey(), highMs);
    }
    NavigableMap<Long, Long> found = new TreeMap<>();
    lastWrittenByTime.forEach(
        (timeMs, writtenMs) -> note(timeMs, highest.floorEntry(writtenMs).getValue(), found));
    for (Late event : late) {
      long othersMs = highest.floorEntry(event.writtenMs).getValue();
      if (event.partitionHighMs < othersMs - SECOND_MS) {
        note(event.timeMs, othersMs, found);
      }
    }
    return found;
  }

  private void note(long timeMs, long othersMs, Map<Long, Long> found) {
    long keptMs = PaneRing.kept(Duration.ofMillis(lateness.allowedMs())).toMillis();
    long keptFromMs = othersMs - lateness.boundMs() - keptMs + SECOND_MS;
    if (timeMs < keptFromMs + PaneRing.RETENTION.toMillis()) {
      found.merge(timeMs, keptFromMs, Math::max);
    }
  }
}
