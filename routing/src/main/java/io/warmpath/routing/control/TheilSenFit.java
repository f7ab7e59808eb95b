package io.warmpath.routing.control;

import io.warmpath.schemas.stats.FitStats;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/**
 * Learns {@code time to first token = intercept + slope · load} from {@link FitBins} by the method
 * of Theil and Sen: the slope is the weighted median of the slopes between all pairs of bins, the
 * intercept the weighted median of what the slope leaves. A minority of bins with wild values moves
 * neither.
 *
 * <p>A bin is a point at its mean load and median time and weighs as much as it has samples; a pair
 * weighs the product times the logarithm of the ratio of its loads, since the slope between near
 * points is mostly noise, and the noise grows with the time itself.
 */
public final class TheilSenFit {

  /** A bin with fewer samples has no median worth a point. */
  static final int MIN_BIN_SAMPLES = 3;

  /** Fewer points make no line. */
  static final int MIN_POINTS = 3;

  private TheilSenFit() {}

  private record Weighted(double value, double weight) {}

  private record Points(double[] tokens, double[] micros, long[] samples, long total) {

    static Points of(FitBins bins) {
      double[] tokens = new double[FitBins.BINS];
      double[] micros = new double[FitBins.BINS];
      long[] samples = new long[FitBins.BINS];
      int size = 0;
      long total = 0;
      for (int bin = 0; bin < FitBins.BINS; bin++) {
        if (bins.count(bin) >= MIN_BIN_SAMPLES) {
          tokens[size] = bins.meanTokens(bin);
          micros[size] = bins.medianMicros(bin);
          samples[size] = bins.count(bin);
          total += samples[size++];
        }
      }
      return new Points(
          Arrays.copyOf(tokens, size),
          Arrays.copyOf(micros, size),
          Arrays.copyOf(samples, size),
          total);
    }

    int size() {
      return tokens.length;
    }
  }

  /**
   * The speed from times to first token alone.
   *
   * @param minSamples fewest samples to learn from
   * @return nothing where there are too few samples or too few different loads, or where more load
   *     does not take longer
   */
  public static Optional<FitStats> of(FitBins bins, int minSamples) {
    Points points = Points.of(bins);
    if (points.size() < MIN_POINTS || points.total() < minSamples) {
      return Optional.empty();
    }
    double slope = slope(points);
    if (!(slope > 0)) {
      return Optional.empty();
    }
    return Optional.of(
        new FitStats(intercept(points, slope), slope, points.total(), FitStats.Source.TTFT));
  }

  /**
   * The speed where the time a token was measured on the GPU: only the intercept comes from the
   * times to first token.
   *
   * @param gpuMicrosPerToken GPU time an uncached token
   * @param minSamples fewest samples to learn from
   */
  public static Optional<FitStats> withGpuSlope(
      FitBins bins, double gpuMicrosPerToken, int minSamples) {
    Points points = Points.of(bins);
    boolean sane = gpuMicrosPerToken > 0 && gpuMicrosPerToken <= Double.MAX_VALUE;
    if (!sane || points.size() == 0 || points.total() < minSamples) {
      return Optional.empty();
    }
    return Optional.of(
        new FitStats(
            intercept(points, gpuMicrosPerToken),
            gpuMicrosPerToken,
            points.total(),
            FitStats.Source.GPU));
  }

  private static double slope(Points points) {
    int n = points.size();
    Weighted[] slopes = new Weighted[n * (n - 1) / 2];
    int pairs = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        double distance = points.tokens()[j] - points.tokens()[i];
        double slope = (points.micros()[j] - points.micros()[i]) / distance;
        // Strict, so that every machine finds the same median.
        double weight =
            (double) points.samples()[i]
                * points.samples()[j]
                * StrictMath.log(points.tokens()[j] / Math.max(1, points.tokens()[i]));
        slopes[pairs++] = new Weighted(slope, weight);
      }
    }
    return median(slopes);
  }

  /** What no token explains; a line that would start below 0 starts at 0. */
  private static double intercept(Points points, double slope) {
    Weighted[] rests = new Weighted[points.size()];
    for (int i = 0; i < rests.length; i++) {
      rests[i] = new Weighted(points.micros()[i] - slope * points.tokens()[i], points.samples()[i]);
    }
    return Math.max(0, median(rests));
  }

  /** The least value that half of the weight does not exceed. */
  private static double median(Weighted[] values) {
    Arrays.sort(values, Comparator.comparingDouble(Weighted::value));
    double half = 0;
    for (Weighted each : values) {
      half += each.weight();
    }
    half /= 2;
    double reached = 0;
    for (Weighted each : values) {
      reached += each.weight();
      if (reached >= half) {
        return each.value();
      }
    }
    return values[values.length - 1].value();
  }
}
