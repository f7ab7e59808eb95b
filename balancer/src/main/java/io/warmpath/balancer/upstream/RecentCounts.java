package io.warmpath.balancer.upstream;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * How many things happened in the last while, and how many of them are marked: a sliding window of
 * ten slots, so what is old goes a tenth at a time. Guarded by its user.
 */
public final class RecentCounts {

  private static final int SLOTS = 10;

  private final long slotNanos;
  private final long originNanos;
  private final LongSupplier nanoTime;
  private final long[] plain = new long[SLOTS];
  private final long[] marked = new long[SLOTS];
  private long slot;

  /**
   * @param window how long a thing is counted
   * @param nanoTime monotonic clock
   */
  public RecentCounts(Duration window, LongSupplier nanoTime) {
    this.slotNanos = Math.max(1, window.toNanos() / SLOTS);
    this.nanoTime = nanoTime;
    this.originNanos = nanoTime.getAsLong();
  }

  /** Counts one thing without the mark. */
  public void addPlain() {
    plain[current()]++;
  }

  /** Counts one thing with the mark. */
  public void addMarked() {
    marked[current()]++;
  }

  /** Things without the mark in the window. */
  public long plain() {
    current();
    return Arrays.stream(plain).sum();
  }

  /** Things with the mark in the window. */
  public long marked() {
    current();
    return Arrays.stream(marked).sum();
  }

  /** Forgets all. */
  public void clear() {
    Arrays.fill(plain, 0);
    Arrays.fill(marked, 0);
  }

  /** Index of the slot of now; those that went out of the window since the last call are empty. */
  private int current() {
    long now = (nanoTime.getAsLong() - originNanos) / slotNanos;
    for (long passed = Math.max(slot, now - SLOTS) + 1; passed <= now; passed++) {
      plain[(int) (passed % SLOTS)] = 0;
      marked[(int) (passed % SLOTS)] = 0;
    }
    slot = Math.max(slot, now);
    return (int) (slot % SLOTS);
  }
}
