package io.warmpath.routing.control;

/**
 * What the law remembers of a listed replica.
 *
 * @param replica name
 * @param weight weight before slow start
 * @param own its speed where that differs from the fleet's, else null
 * @param settlesUntilMs until then its speed follows each window, since the windows still hold
 *     requests from before it changed
 * @param warmsFromMs when slow start began; {@link #WARM} if it is over or never was
 * @param restarts restarts that the last window counted
 */
public record ReplicaControl(
    String replica,
    double weight,
    SpeedFit own,
    long settlesUntilMs,
    long warmsFromMs,
    long restarts) {

  /** Stands for a replica that is not in slow start. */
  public static final long WARM = -1;

  /** A replica at the fleet's speed and mean weight. */
  static ReplicaControl of(String replica, long warmsFromMs, long restarts) {
    return new ReplicaControl(replica, 1, null, 0, warmsFromMs, restarts);
  }

  ReplicaControl withSpeed(SpeedFit speed, long settlesUntil) {
    return new ReplicaControl(replica, weight, speed, settlesUntil, warmsFromMs, restarts);
  }

  ReplicaControl withWeight(double value) {
    return new ReplicaControl(replica, value, own, settlesUntilMs, warmsFromMs, restarts);
  }

  ReplicaControl warmSince(long since) {
    return new ReplicaControl(replica, weight, own, settlesUntilMs, since, restarts);
  }

  ReplicaControl withRestarts(long count) {
    return new ReplicaControl(replica, weight, own, settlesUntilMs, warmsFromMs, count);
  }
}
