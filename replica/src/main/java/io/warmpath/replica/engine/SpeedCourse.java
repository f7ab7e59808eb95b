package io.warmpath.replica.engine;

/** How fast an engine is over time: constant, or on a straight way from one speed to another. */
final class SpeedCourse {

  private static final double NORMAL = 1;

  private double from = NORMAL;
  private double to = NORMAL;
  private long fromUs;
  private long untilUs;

  void set(double factor) {
    require(factor);
    from = factor;
    to = factor;
  }

  void drift(double factor, long startUs, long endUs) {
    require(factor);
    if (endUs < startUs) {
      throw new IllegalArgumentException("a drift from " + startUs + " to " + endUs + " µs");
    }
    from = at(startUs);
    to = factor;
    fromUs = startUs;
    untilUs = endUs;
  }

  /** The speed at a moment. */
  double at(long timeUs) {
    if (timeUs >= untilUs) {
      return to;
    }
    double done = Math.max(0, (double) (timeUs - fromUs) / (untilUs - fromUs));
    return from + (to - from) * done;
  }

  private static void require(double factor) {
    if (!(factor > 0 && factor <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("speed factor is " + factor + ", must be above 0");
    }
  }
}
