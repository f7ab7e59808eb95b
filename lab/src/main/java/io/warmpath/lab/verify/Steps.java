package io.warmpath.lab.verify;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Tells now and then how much of a long work is done. */
final class Steps {

  private static final long EVERY_NANOS = Duration.ofMillis(250).toNanos();

  /** A step is not done before it says so itself. */
  private static final long MOST_PERCENT = 99;

  private final Consumer<String> listener;
  private long toldNanos;

  Steps(Consumer<String> listener) {
    this.listener = listener;
  }

  /**
   * Begins a step.
   *
   * @param whole how much there is to do, as far as known
   * @return is told how much is done
   */
  LongConsumer begin(String name, long whole) {
    listener.accept(name);
    return done -> {
      long now = System.nanoTime();
      if (now - toldNanos >= EVERY_NANOS) {
        toldNanos = now;
        long percent = whole <= 0 ? 0 : Math.min(MOST_PERCENT, 100 * done / whole);
        listener.accept(name + ": " + percent + " %");
      }
    };
  }
}
