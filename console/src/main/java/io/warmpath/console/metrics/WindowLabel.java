package io.warmpath.console.metrics;

/** The {@code window} label: {@code 10s}, {@code 300s}. */
final class WindowLabel {

  private static final long MILLIS_PER_SECOND = 1000;

  private WindowLabel() {}

  static String of(long sizeMs) {
    return sizeMs % MILLIS_PER_SECOND == 0 ? sizeMs / MILLIS_PER_SECOND + "s" : sizeMs + "ms";
  }
}
