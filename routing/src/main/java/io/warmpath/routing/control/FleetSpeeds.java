package io.warmpath.routing.control;

import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Decides from a window's fits which speed each replica has. A fit over a minute of traffic
 * scatters by ten percent and more; replicas that the samples cannot tell apart therefore share the
 * speed of the fleet, the median of the fits, and a speed once learned stays in force until a
 * window contradicts it.
 */
final class FleetSpeeds {

  /** Part of a change of level that the slope must share for it to count. */
  private static final double SLOPE_PART = 0.2;

  private final ControlConfig config;
  private final double typicalTokens;
  private final long windowEndMs;
  private final long windowMs;
  private final Map<String, FitStats> fits = new HashMap<>();

  FleetSpeeds(ControlConfig config, WindowInput input) {
    this.config = config;
    this.typicalTokens = input.typicalTokens();
    this.windowEndMs = input.windowEndMs();
    this.windowMs = input.total().windowSizeMs();
    for (RoutingStats row : input.replicas()) {
      FitStats fit = WindowInput.fit(row, config.minSamples());
      if (fit != null) {
        fits.put(row.replica(), fit);
      }
    }
  }

  boolean isEmpty() {
    return fits.isEmpty();
  }

  /** Samples behind a replica's fit, 0 without one. */
  long samples(String replica) {
    FitStats fit = fits.get(replica);
    return fit == null ? 0 : fit.samples();
  }

  /** The fleet's speed: the one before unless the medians of the fits contradict it. */
  SpeedFit fleet(SpeedFit before) {
    if (fits.isEmpty()) {
      return before;
    }
    double level =
        median(fits.values().stream().mapToDouble(f -> SpeedFit.of(f).at(typicalTokens)));
    double share =
        median(
            fits.values().stream()
                .mapToDouble(f -> f.usPerToken() / SpeedFit.of(f).at(typicalTokens)));
    double slope = level * share;
    SpeedFit median = new SpeedFit(Math.max(0, level - slope * typicalTokens), slope);
    long samples = fits.values().stream().mapToLong(FitStats::samples).sum();
    boolean gpu = fits.values().stream().allMatch(f -> f.source() == FitStats.Source.GPU);
    FitStats.Source source = gpu ? FitStats.Source.GPU : FitStats.Source.TTFT;
    return before == null || differs(median, before, samples, source, 1) ? median : before;
  }

  /** The replica with the speed that this window leaves it. */
  ReplicaControl learn(ReplicaControl replica, SpeedFit fleet) {
    FitStats fit = fits.get(replica.replica());
    if (fit == null) {
      return replica;
    }
    SpeedFit window = SpeedFit.of(fit);
    // Half the band back, so that a replica at its edge does not come and go.
    double hysteresis = replica.own() == null ? 1 : 0.5;
    if (!differs(window, fleet, fit.samples(), fit.source(), hysteresis)
        || (replica.own() == null && !slopeAgrees(window, fleet, fit))) {
      return replica.withSpeed(null, 0);
    }
    SpeedFit own = replica.own();
    if (own == null || differs(window, own, fit.samples(), fit.source(), 1)) {
      return replica.withSpeed(relativeTo(fleet, fit), windowEndMs + windowMs);
    }
    return windowEndMs <= replica.settlesUntilMs()
        ? replica.withSpeed(relativeTo(fleet, fit), replica.settlesUntilMs())
        : replica;
  }

  /**
   * Whether the slope moved the way the level did, and at least a little. A level that moved
   * without the slope is a wait that no token explains (a queue, a burst), not a slower replica. Of
   * one that is known to be slower it is not asked again: one odd minute must not acquit it.
   */
  private boolean slopeAgrees(SpeedFit window, SpeedFit fleet, FitStats fit) {
    if (fit.source() == FitStats.Source.GPU || slopeDiffers(window, fleet, fit.samples(), 1)) {
      return true;
    }
    double level = StrictMath.log(window.at(typicalTokens) / fleet.at(typicalTokens));
    double slope = StrictMath.log(window.microsPerToken() / fleet.microsPerToken());
    return slope * Math.signum(level) >= SLOPE_PART * Math.abs(level);
  }

  /** The fleet's speed scaled to the fit's level, unless the fit has clearly another slope. */
  private SpeedFit relativeTo(SpeedFit fleet, FitStats fit) {
    SpeedFit window = SpeedFit.of(fit);
    SpeedFit scaled = fleet.slowerBy(window.at(typicalTokens) / fleet.at(typicalTokens));
    boolean ownSlope =
        fit.source() == FitStats.Source.GPU || slopeDiffers(window, scaled, fit.samples(), 1);
    return ownSlope ? window : scaled;
  }

  private boolean differs(
      SpeedFit a, SpeedFit b, long samples, FitStats.Source source, double part) {
    if (source == FitStats.Source.GPU) {
      // Measured, not fitted: no noise to speak of.
      return exceeds(a.microsPerToken(), b.microsPerToken(), 0, part);
    }
    double noise = config.evidence().levelNoise() / Math.sqrt(samples);
    return exceeds(a.at(typicalTokens), b.at(typicalTokens), noise, part)
        || slopeDiffers(a, b, samples, part);
  }

  private boolean slopeDiffers(SpeedFit a, SpeedFit b, long samples, double part) {
    double noise = config.evidence().slopeNoise() / Math.sqrt(samples);
    return exceeds(a.microsPerToken(), b.microsPerToken(), noise, part);
  }

  private boolean exceeds(double a, double b, double noise, double part) {
    double band = Math.max(config.damping().deadBand(), noise);
    return Math.abs(StrictMath.log(a / b)) > part * band;
  }

  /** The middle value, or the geometric mean of the two in the middle. */
  static double median(DoubleStream values) {
    double[] sorted = values.toArray();
    Arrays.sort(sorted);
    int n = sorted.length;
    return n % 2 == 1 ? sorted[n / 2] : Math.sqrt(sorted[n / 2 - 1] * sorted[n / 2]);
  }
}
