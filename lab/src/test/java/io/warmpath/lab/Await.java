package io.warmpath.lab;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits on the state of something in another process, which can only be asked for it. */
public final class Await {

  private static final Duration POLL = Duration.ofMillis(100);

  private Await() {}

  /**
   * Returns when {@code condition} holds. An exception counts as not yet: what is asked may be down
   * on purpose. An error ends the wait.
   *
   * @throws IllegalStateException if it does not hold in time, with the last exception
   */
  public static void until(String what, Duration patience, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + patience.toNanos();
    Exception last = null;
    while (System.nanoTime() < deadline) {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting: " + what, e);
      } catch (Exception e) {
        last = e;
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    throw new IllegalStateException("not within " + patience.toSeconds() + " s: " + what, last);
  }
}
