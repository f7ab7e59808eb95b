package io.warmpath.lab.demo;

import io.warmpath.routing.measure.DurationSketch;
import java.util.concurrent.locks.LockSupport;

/**
 * How late a thread wakes up that sleeps for a millisecond, again and again: what a busy machine
 * adds to every time that is measured on it.
 */
final class WakeUpDelay implements AutoCloseable {

  private static final long SLEEP_NANOS = 1_000_000;

  private final DurationSketch delays = new DurationSketch();
  private final Thread sleeper = new Thread(this::run, "warmpath-wake-up-delay");
  private volatile boolean stopped;

  private WakeUpDelay() {
    sleeper.setDaemon(true);
  }

  /** Begins to measure. */
  static WakeUpDelay start() {
    WakeUpDelay delay = new WakeUpDelay();
    delay.sleeper.start();
    return delay;
  }

  private void run() {
    while (!stopped) {
      long start = System.nanoTime();
      LockSupport.parkNanos(SLEEP_NANOS);
      delays.add(Math.max(0, System.nanoTime() - start - SLEEP_NANOS) / 1_000);
    }
  }

  /** Ends it; the 99th percentile in microseconds of real time. */
  long p99Micros() {
    close();
    return delays.quantile(0.99);
  }

  @Override
  public void close() {
    stopped = true;
    try {
      sleeper.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
