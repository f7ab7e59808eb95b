package io.warmpath.console.metrics;

/** Durations in the base unit. */
final class Seconds {

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  private Seconds() {}

  static Double ofMicros(Long micros) {
    return micros == null ? null : micros / MICROS_PER_SECOND;
  }

  static double ofMicros(double micros) {
    return micros / MICROS_PER_SECOND;
  }

  static double ofMillis(long millis) {
    return millis / MILLIS_PER_SECOND;
  }
}
