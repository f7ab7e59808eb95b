package io.warmpath.jobs.combine;

import java.io.Serializable;
import java.time.Duration;

/**
 * What a combiner lets count, and how much it remembers of each partition to tell.
 *
 * @param lateness how far events may lie behind
 * @param memoryMs how far behind its partition's highest time an event is still known again; 0 if
 *     copies are not looked for
 * @param maxFingerprints at most so many events of a partition are known again
 * @param maxKeys at most so many keys of a partition are told apart
 */
public record CombineRules(Lateness lateness, long memoryMs, int maxFingerprints, int maxKeys)
    implements Serializable {

  /** Longer memory would be of events that no window counts any more. */
  private static final Duration MAX_MEMORY = Duration.ofMinutes(20);

  /**
   * @param bound disorder that is on time
   * @param allowedLateness lateness beyond it that counts
   * @param memory how long events are known again
   * @throws IllegalArgumentException if events that still count would not be known again, or the
   *     memory is too long; the message names the option
   */
  public static CombineRules of(
      Duration bound, Duration allowedLateness, Duration memory, int maxFingerprints, int maxKeys) {
    Duration counted = bound.plus(allowedLateness);
    if (!memory.isZero() && memory.compareTo(counted) < 0) {
      throw new IllegalArgumentException(
          "--duplicate-memory: must be 0s or at least --bound and --allowed-lateness together, "
              + counted.toSeconds()
              + "s");
    }
    if (memory.compareTo(MAX_MEMORY) > 0) {
      throw new IllegalArgumentException("--duplicate-memory: at most 20m");
    }
    return new CombineRules(
        Lateness.of(bound, allowedLateness), memory.toMillis(), maxFingerprints, maxKeys);
  }

  /** Whether copies of events are looked for. */
  boolean looksForCopies() {
    return memoryMs > 0;
  }
}
