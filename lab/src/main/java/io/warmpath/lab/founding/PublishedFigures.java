package io.warmpath.lab.founding;

import java.util.List;

/**
 * What was measured in the founding experiment: Qwen3-0.6B on 4 replicas, 110 requests an arm, one
 * run.
 *
 * @param policy our name of the policy that comes nearest
 * @param ttftP50Ms median time to first token
 * @param ttftP95Ms its 95th percentile, the sixth largest of 110
 * @param ttftP99Ms its 99th percentile, the second largest
 * @param reportedRps requests a second as reported
 * @param rawRps requests a second by the raw data
 * @param endToEndP95Seconds 95th percentile of the time to the last token
 * @param meanTtftMsByTurn mean by turn, first turn first
 */
public record PublishedFigures(
    String policy,
    double ttftP50Ms,
    double ttftP95Ms,
    double ttftP99Ms,
    double reportedRps,
    double rawRps,
    double endToEndP95Seconds,
    List<Double> meanTtftMsByTurn) {

  public static final PublishedFigures ROUND_ROBIN =
      new PublishedFigures(
          "round_robin",
          123,
          745,
          841,
          0.52,
          0.48,
          9.5,
          List.of(352.0, 296.0, 285.0, 238.0, 186.0, 123.0, 192.0, 123.0, 124.0, 200.0));

  /** The router of the experiment was prefix-aware; how it broke ties was not published. */
  public static final PublishedFigures PREFIX_AWARE =
      new PublishedFigures(
          "prefix_affinity",
          92,
          272,
          674,
          0.49,
          0.45,
          11.4,
          List.of(362.0, 83.0, 86.0, 89.0, 89.0, 94.0, 104.0, 91.0, 97.0, 115.0));

  /** Round-robin over prefix-aware, as reported from unrounded times. */
  public static final double P95_RATIO = 2.74;

  /** Prefix-aware over round-robin. */
  public static final double RPS_RATIO = 0.94;

  /** Round-robin over prefix-aware: means over turns 2 to 10, 196.29 and 94.22 ms. */
  public static final double WARM_RATIO = 2.08;
}
