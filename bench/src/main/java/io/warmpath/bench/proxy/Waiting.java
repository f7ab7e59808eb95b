package io.warmpath.bench.proxy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits without burning the processor that others are measured on. */
final class Waiting {

  private static final Duration POLL = Duration.ofMillis(2);

  private Waiting() {}

  /**
   * Until a time on the clock of {@link System#nanoTime}.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  static void until(long nanos) throws InterruptedException {
    long rest;
    while ((rest = nanos - System.nanoTime()) > 0) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(rest);
    }
  }

  /** For a condition, within a bound; says whether it holds. */
  static boolean until(BooleanSupplier condition, Duration bound) throws InterruptedException {
    long deadline = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      until(System.nanoTime() + POLL.toNanos());
    }
    return true;
  }
}
