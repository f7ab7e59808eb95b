package io.warmpath.lab.calibrate;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.warmpath.replica.engine.EngineProfile;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a calibration gave.
 *
 * @param target what was measured
 * @param tokenBudget most tokens a step, as assumed
 * @param probes times that were measured
 * @param constants what was fitted
 * @param residuals how well it explains the measurements, by kind
 * @param observations the measurements
 * @param profile a profile with these constants
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CalibrationReport(
    String target,
    int tokenBudget,
    int probes,
    List<Estimate> constants,
    List<Residuals> residuals,
    List<Point> observations,
    EngineProfile profile) {

  /**
   * One constant.
   *
   * @param field its name in a profile
   * @param value in µs
   * @param low lower end of the 95 % interval, 0 at least
   * @param high upper end
   * @param actual its value in the profile that was measured; null where the target is no model
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Estimate(String field, double value, double low, double high, Double actual) {}

  /**
   * Measured over predicted, less 1.
   *
   * @param kind what was timed
   * @param observations how many
   * @param rms root of their mean square
   * @param worst the one farthest from 0
   */
  public record Residuals(String kind, int observations, double rms, double worst) {}

  /**
   * One measurement beside the fit.
   *
   * @param kind what was timed
   * @param promptTokens length of the prompts
   * @param cachedTokens of them from the cache
   * @param decoding sequences that decoded together
   * @param repeats how often it was measured
   * @param measuredUs the median
   * @param spreadUs median distance from it
   * @param predictedUs by the fit
   */
  public record Point(
      String kind,
      int promptTokens,
      int cachedTokens,
      int decoding,
      int repeats,
      double measuredUs,
      double spreadUs,
      double predictedUs) {}

  /**
   * Fits and reports.
   *
   * @param base what times do not tell: token budget, batch, memory, GPU
   * @param actual what was measured, or null where the target is no model
   * @throws IllegalArgumentException if the observations do not tell all constants
   */
  public static CalibrationReport of(
      String target, List<Observation> observations, EngineProfile base, EngineProfile actual) {
    ProfileFit fit = new ProfileFit(observations, base.tokenBudget());
    return new CalibrationReport(
        target,
        base.tokenBudget(),
        observations.stream().mapToInt(Observation::repeats).sum(),
        Stream.of(Constant.values()).map(constant -> estimate(fit, constant, actual)).toList(),
        fit.residuals().entrySet().stream()
            .map(entry -> residuals(entry.getKey(), entry.getValue()))
            .toList(),
        observations.stream().map(o -> point(fit, o)).toList(),
        profile(fit, target, observations.size(), base));
  }

  private static Estimate estimate(ProfileFit fit, Constant constant, EngineProfile actual) {
    double value = fit.value(constant);
    double margin = fit.margin(constant);
    return new Estimate(
        constant.field(),
        value,
        Math.max(0, value - margin),
        value + margin,
        actual == null ? null : constant.of(actual));
  }

  private static Residuals residuals(Observation.Kind kind, double[] values) {
    double worst = Arrays.stream(values).reduce(0, (a, b) -> Math.abs(b) > Math.abs(a) ? b : a);
    return new Residuals(name(kind), values.length, ProfileFit.rms(values), worst);
  }

  private static Point point(ProfileFit fit, Observation o) {
    return new Point(
        name(o.kind()),
        o.promptTokens(),
        o.cachedTokens(),
        o.decoding(),
        o.repeats(),
        o.measuredUs(),
        o.spreadUs(),
        fit.predictedUs(o));
  }

  private static String name(Observation.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static EngineProfile profile(
      ProfileFit fit, String target, int observations, EngineProfile base) {
    return new EngineProfile(
        "calibrated",
        "Fitted by warmpath calibrate to "
            + observations
            + " measurements of "
            + target
            + ". Token budget, batch size, KV blocks and GPU: those of the profile "
            + base.name()
            + ".",
        // A step that takes no time would stop the engine's clock.
        Math.max(1, fit.value(Constant.STEP)),
        fit.value(Constant.PREFILL_TOKEN),
        fit.value(Constant.DECODE_SEQUENCE),
        fit.value(Constant.DECODE_CONTEXT_TOKEN),
        fit.value(Constant.PREFILL_PAIR),
        Math.round(fit.value(Constant.REQUEST)),
        base.tokenBudget(),
        base.maxSequences(),
        base.kvBlocks(),
        base.blockTokens(),
        base.gpu());
  }
}
