package io.warmpath.routing.control;

import io.warmpath.schemas.stats.FitStats;

/**
 * Time to first token over load: {@code interceptMicros + microsPerToken · tokens}.
 *
 * @param interceptMicros time that no token explains, at least 0
 * @param microsPerToken time a token to compute, greater than 0
 */
public record SpeedFit(double interceptMicros, double microsPerToken) {

  public SpeedFit {
    if (!(interceptMicros >= 0) || !(microsPerToken > 0)) {
      throw new IllegalArgumentException(
          "no speed: " + interceptMicros + " µs + " + microsPerToken + " µs a token");
    }
  }

  static SpeedFit of(FitStats fit) {
    return new SpeedFit(fit.interceptUs(), fit.usPerToken());
  }

  /** Predicted time to first token, µs. */
  double at(double tokens) {
    return interceptMicros + microsPerToken * tokens;
  }

  /** As much slower at every load. */
  SpeedFit slowerBy(double factor) {
    return new SpeedFit(interceptMicros * factor, microsPerToken * factor);
  }
}
