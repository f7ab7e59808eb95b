package io.warmpath.lab.simulate;

import java.util.Arrays;

/**
 * How fast one replica is over the time of a simulation: 1 is normal, 0.5 half as fast. Speed is
 * constant between changes.
 */
final class SpeedTimeline {

  private static final double NORMAL = 1;

  /** Start of each stretch, rising; the first begins before any request. */
  private final long[] fromMicros;

  private final double[] speeds;

  private SpeedTimeline(long[] fromMicros, double[] speeds) {
    this.fromMicros = fromMicros;
    this.speeds = speeds;
  }

  /** The time line of one replica, of all the slowdowns of a simulation. */
  static SpeedTimeline of(int replica, Iterable<Slowdown> slowdowns) {
    SpeedTimeline timeline = new SpeedTimeline(new long[] {Long.MIN_VALUE}, new double[] {NORMAL});
    for (Slowdown slowdown : slowdowns) {
      if (slowdown.replica() == replica) {
        timeline = timeline.with(slowdown);
      }
    }
    return timeline;
  }

  private SpeedTimeline with(Slowdown change) {
    long from = change.fromMicros();
    int before = 0;
    while (before < fromMicros.length && fromMicros[before] < from) {
      before++;
    }
    int after = before < fromMicros.length && fromMicros[before] == from ? before + 1 : before;
    int length = before + 1 + fromMicros.length - after;
    long[] times = Arrays.copyOf(fromMicros, length);
    double[] factors = Arrays.copyOf(speeds, length);
    times[before] = from;
    factors[before] = change.factor();
    System.arraycopy(fromMicros, after, times, before + 1, fromMicros.length - after);
    System.arraycopy(speeds, after, factors, before + 1, speeds.length - after);
    return new SpeedTimeline(times, factors);
  }

  /** Speed at a moment. */
  double at(long micros) {
    return speeds[stretchAt(micros)];
  }

  /** When work that takes {@code workMicros} at normal speed ends, if it starts at a moment. */
  long endOf(long startMicros, long workMicros) {
    int stretch = stretchAt(startMicros);
    long now = startMicros;
    double left = workMicros;
    while (stretch + 1 < fromMicros.length) {
      double possible = (fromMicros[stretch + 1] - now) * speeds[stretch];
      if (left <= possible) {
        break;
      }
      left -= possible;
      now = fromMicros[++stretch];
    }
    return now + Math.round(left / speeds[stretch]);
  }

  private int stretchAt(long micros) {
    int stretch = fromMicros.length - 1;
    while (stretch > 0 && fromMicros[stretch] > micros) {
      stretch--;
    }
    return stretch;
  }
}
