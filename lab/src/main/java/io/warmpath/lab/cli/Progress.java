package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Screen;
import java.util.function.IntConsumer;

/**
 * Shows how much of a long work is done. May be told from any thread.
 *
 * @param screen where
 * @param text format with one number: how much is done
 */
record Progress(Screen screen, String text) implements IntConsumer {

  @Override
  public void accept(int done) {
    screen.progress(text.formatted(done));
  }
}
