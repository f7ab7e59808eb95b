package io.warmpath.balancer.upstream;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Whether a replica gets requests. Two things speak against it: checks that failed, until one
 * passes, and a connection that could not be made, for a short while.
 */
public final class ReplicaHealth {

  /** What is said of a replica. */
  public enum State {
    UP,
    /** Checks fail. */
    DOWN,
    /** A connection failed a moment ago. */
    EJECTED;

    /** Name on the admin page. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final int failuresUntilDown;
  private final long ejectionNanos;
  private final LongSupplier nanoTime;

  private int failures;
  private volatile boolean down;
  private volatile boolean ejected;
  private volatile long ejectedUntil;

  /**
   * @param nanoTime monotonic clock
   */
  public ReplicaHealth(HealthSettings settings, LongSupplier nanoTime) {
    this.failuresUntilDown = settings.failures();
    this.ejectionNanos = settings.ejection().toNanos();
    this.nanoTime = nanoTime;
  }

  /** What is to be said of the replica now. */
  public State state() {
    if (down) {
      return State.DOWN;
    }
    return ejected && nanoTime.getAsLong() - ejectedUntil < 0 ? State.EJECTED : State.UP;
  }

  /** Whether the replica may get a request now. */
  public boolean available() {
    return !down && (!ejected || state() == State.UP);
  }

  /** A connection for a request could not be made. */
  public void connectFailed() {
    ejectedUntil = nanoTime.getAsLong() + ejectionNanos;
    ejected = true;
  }

  /** A check passed. */
  public synchronized void checkPassed() {
    failures = 0;
    down = false;
    ejected = false;
  }

  /**
   * A check failed.
   *
   * @return true if that made the replica {@code down}
   */
  public synchronized boolean checkFailed() {
    failures++;
    if (down || failures < failuresUntilDown) {
      return false;
    }
    down = true;
    return true;
  }
}
