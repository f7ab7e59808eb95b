package io.warmpath.lab.demo;

/**
 * What the weights did when one replica became slow and was repaired. Times in real seconds.
 *
 * @param policy what the load was routed by
 * @param replica the replica
 * @param factor its speed while slow
 * @param requestsPerSecond load of the whole fleet
 * @param weightBefore its weight before
 * @param secondsToFall from the slowdown to the first weight below 0.7; null if there was none
 * @param lowestWeight its lowest weight
 * @param othersSpread highest weight of the others divided by their lowest, at that time
 * @param secondsToRecover from the repair to the first weight above 0.9; null if there was none, or
 *     if it had not fallen
 * @param weightAfter its last weight
 * @param failedRequests requests of the load that failed
 */
public record SlowdownFigures(
    String policy,
    String replica,
    double factor,
    double requestsPerSecond,
    double weightBefore,
    Double secondsToFall,
    double lowestWeight,
    double othersSpread,
    Double secondsToRecover,
    double weightAfter,
    int failedRequests) {

  /** Below this the weight has fallen. */
  public static final double FALLEN = 0.7;

  /** Above this it has recovered. */
  public static final double RECOVERED = 0.9;
}
