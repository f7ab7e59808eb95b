package io.warmpath.jobs.window;

/**
 * Tells how long the watermark has stood still, and so how far event time must have come by now.
 * Nothing of it is state: after a restart the clock begins again.
 */
final class Silence {

  /** While nothing comes, this often more windows are over. */
  private static final long TICK_MS = 1_000;

  private final long afterMs;
  private long watermarkMs = Long.MIN_VALUE;
  private long movedAtMs;

  /**
   * @param afterMs so long the watermark must stand still; 0 for a clock that never matters
   * @param nowMs processing time
   */
  Silence(long afterMs, long nowMs) {
    this.afterMs = afterMs;
    this.movedAtMs = nowMs;
  }

  /** Whether the clock ever matters. */
  boolean isHeeded() {
    return afterMs > 0;
  }

  /** How long the watermark has stood still; 0 while that is shorter than what makes a silence. */
  long lastsMs(long currentWatermarkMs, long nowMs) {
    if (currentWatermarkMs != watermarkMs) {
      watermarkMs = currentWatermarkMs;
      movedAtMs = nowMs;
    }
    long stoodMs = nowMs - movedAtMs;
    return stoodMs < afterMs ? 0 : stoodMs;
  }

  /** When to look whether it is silent; few times, at which all keys look. */
  long checkAtMs(long nowMs) {
    return Math.floorDiv(nowMs + afterMs, afterMs) * afterMs + afterMs;
  }

  /** When, in silence, more windows are over. */
  long tickAtMs(long nowMs) {
    return Math.floorDiv(nowMs, TICK_MS) * TICK_MS + TICK_MS;
  }
}
