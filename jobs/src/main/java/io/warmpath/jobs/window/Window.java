package io.warmpath.jobs.window;

import java.util.Comparator;

/**
 * One window.
 *
 * @param endMs first millisecond after it
 * @param sizeMs its length
 */
public record Window(long endMs, long sizeMs) implements Comparable<Window> {

  private static final Comparator<Window> ORDER =
      Comparator.comparingLong(Window::endMs).thenComparingLong(Window::sizeMs);

  /** First millisecond in it. */
  public long startMs() {
    return endMs - sizeMs;
  }

  /** The watermark from which on it is complete. */
  public long lastMs() {
    return endMs - 1;
  }

  @Override
  public int compareTo(Window other) {
    return ORDER.compare(this, other);
  }
}
