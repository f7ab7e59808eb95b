package io.warmpath.jobs.combine;

import java.io.Serializable;
import java.time.Duration;

/**
 * How far an event may lie behind the highest time of its partition.
 *
 * @param boundMs up to here it is on time
 * @param allowedMs up to here beyond the bound it is late, and counts; further behind it is dropped
 */
public record Lateness(long boundMs, long allowedMs) implements Serializable {

  /** The lateness of a configuration. */
  public static Lateness of(Duration bound, Duration allowed) {
    return new Lateness(bound.toMillis(), allowed.toMillis());
  }

  /** Whether an event behind {@code highMs} is late or worse. */
  boolean isLate(long timeMs, long highMs) {
    return timeMs < highMs - boundMs;
  }

  /** Whether it is too late to count. */
  public boolean isTooLate(long timeMs, long highMs) {
    return timeMs < highMs - boundMs - allowedMs;
  }
}
