package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Remaining;
import io.warmpath.lab.screen.Screen;
import java.util.function.IntConsumer;

/** Shows how much of a long work is done and when it will be. May be told from any thread. */
final class Progress implements IntConsumer {

  private final Screen screen;
  private final int total;
  private final String unit;
  private final Remaining remaining;

  /**
   * Begins now.
   *
   * @param screen where
   * @param total all that is to be done
   * @param unit what it is counted in, as in "3 of 7 seeds"
   */
  Progress(Screen screen, int total, String unit) {
    this.screen = screen;
    this.total = total;
    this.unit = unit;
    this.remaining = Remaining.from(System.nanoTime());
  }

  @Override
  public void accept(int done) {
    screen.progress(
        "%d of %d %s%s"
            .formatted(done, total, unit, remaining.text(done, total, System.nanoTime())));
  }
}
