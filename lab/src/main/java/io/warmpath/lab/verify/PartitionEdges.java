package io.warmpath.lab.verify;

import io.warmpath.jobs.combine.Lateness;

/**
 * Looks in one partition for the first time that events touch which the live job may not have had
 * in its rows.
 *
 * <p>Where the job was is known from its last row: it emits a window that ends at t when each
 * partition has come to t + bound, but for those that were silent. A silent one is taken for read
 * up to {@value #LAG_MS} ms before that row was written.
 */
final class PartitionEdges {

  static final long LAG_MS = 30_000;

  private final Lateness lateness;
  private final LiveFront front;

  private long highMs = Long.MIN_VALUE / 2;
  private boolean passedFront;
  private long untouchedUntilMs = Long.MAX_VALUE;
  private long ifSilentMs = Long.MAX_VALUE;

  PartitionEdges(Lateness lateness, LiveFront front) {
    this.lateness = lateness;
    this.front = front;
  }

  /**
   * Takes in the next event.
   *
   * @param timeMs the time it counts at
   * @param writtenMs its record's timestamp
   * @param replayed whether the replay reads it too
   * @return the time at which it is counted: what is too late, where its partition stands
   */
  long event(long timeMs, long writtenMs, boolean replayed) {
    long touchedMs = lateness.isTooLate(timeMs, highMs) ? highMs : timeMs;
    highMs = Math.max(highMs, timeMs);
    if (passedFront || !replayed) {
      untouchedUntilMs = Math.min(untouchedUntilMs, touchedMs);
    } else if (timeMs >= front.endMs() + lateness.boundMs()) {
      passedFront = true;
    } else if (writtenMs >= front.writtenMs() - LAG_MS) {
      ifSilentMs = Math.min(ifSilentMs, touchedMs);
    }
    return touchedMs;
  }

  /** Highest time so far. */
  long highMs() {
    return highMs;
  }

  /** Up to here nothing in this partition changes what the job's rows say. */
  long untouchedUntilMs() {
    return passedFront ? untouchedUntilMs : Math.min(untouchedUntilMs, ifSilentMs);
  }
}
