package io.warmpath.jobs.source;

import java.time.Duration;
import org.apache.flink.util.clock.RelativeClock;

/**
 * Tells whether a subtask catches up with its topic: event time then passes faster than the clock.
 * A partition that brings nothing meanwhile may only not have been read yet.
 */
final class Pace {

  /** What a partition is waited for at least while the subtask catches up, or has only begun. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long STRETCH_NANOS = 1_000_000_000L;

  /** Times faster than the clock that disorder within a second does not explain. */
  private static final long FAST = 4;

  private final RelativeClock clock;
  private long beganNanos;
  private long highestMs = Long.MIN_VALUE;
  private long highestBeforeMs = Long.MIN_VALUE;
  private boolean catchingUp = true;

  Pace(RelativeClock clock) {
    this.clock = clock;
    this.beganNanos = clock.relativeTimeNanos();
  }

  /** Notes the time of an event. */
  void reached(long timeMs) {
    highestMs = Math.max(highestMs, timeMs);
  }

  /** How long a silent partition is waited for now. */
  Duration patience(Duration idleness) {
    look();
    return catchingUp && idleness.compareTo(PATIENCE) < 0 ? PATIENCE : idleness;
  }

  private void look() {
    long nanos = clock.relativeTimeNanos() - beganNanos;
    // Before the first event there is no pace yet.
    if (nanos < STRETCH_NANOS || highestMs == Long.MIN_VALUE) {
      return;
    }
    catchingUp =
        highestBeforeMs == Long.MIN_VALUE
            || highestMs - highestBeforeMs > FAST * (nanos / 1_000_000);
    highestBeforeMs = highestMs;
    beganNanos += nanos;
  }
}
