package io.warmpath.jobs.window;

import java.util.HashMap;
import java.util.Map;

/**
 * Tells how long the watermark has stood still, and so how far event time must have come by now.
 * Nothing of it is state: after a restart the clock begins again, and what is shown twice is the
 * same.
 *
 * @param <K> whose windows are shown
 */
final class Silence<K> {

  /** While nothing comes, this often more windows are over. */
  private static final long TICK_MS = 1_000;

  private final long afterMs;
  private final Map<K, Long> shownUntilMs = new HashMap<>();
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
      shownUntilMs.clear();
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

  /** Up to here a key's windows were shown since the watermark last moved, or a pane came. */
  long shownUntilMs(K key) {
    return shownUntilMs.getOrDefault(key, Long.MIN_VALUE);
  }

  /** Notes up to where a key's windows are being shown. */
  void shown(K key, long untilMs) {
    shownUntilMs.put(key, untilMs);
  }

  /** Forgets what was shown of a key, as it changed. */
  void changed(K key) {
    shownUntilMs.remove(key);
  }
}
