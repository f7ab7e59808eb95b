package io.warmpath.lab.calibrate;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Fits the constants of a profile to what was observed. */
final class ProfileFit {

  /** No clock and no engine is better than that. */
  private static final double LEAST_RELATIVE_SIGMA = 1e-4;

  /** From a median distance to a standard deviation, if errors are normal. */
  private static final double SIGMA_OF_MEDIAN_DISTANCE = 1.4826;

  private static final double Z95 = 1.96;

  private final List<Observation> observations;
  private final int tokenBudget;
  private final double[] coefficients;
  private final double[] standardErrors;

  /**
   * Fits.
   *
   * @throws IllegalArgumentException if the observations do not tell all constants
   */
  ProfileFit(List<Observation> observations, int tokenBudget) {
    this.observations = observations;
    this.tokenBudget = tokenBudget;
    double[] relativeSigmas = relativeSigmas();
    // The length of a step decides how certain the times beside decoding sequences are. All
    // constants follow from the others, so those go first.
    LeastSquares.Solution first =
        solve(
            observations.stream()
                .filter(o -> o.kind() != Observation.Kind.FIRST_TOKEN_BESIDE_DECODING)
                .toList(),
            relativeSigmas,
            new double[Constant.COUNT]);
    LeastSquares.Solution all = solve(observations, relativeSigmas, first.coefficients());
    coefficients = all.coefficients();
    standardErrors = all.standardErrors();
  }

  private LeastSquares.Solution solve(
      List<Observation> some, double[] relativeSigmas, double[] roughly) {
    double[][] rows = some.stream().map(o -> o.shares(tokenBudget)).toArray(double[][]::new);
    double[] values = some.stream().mapToDouble(Observation::measuredUs).toArray();
    double[] sigmas = some.stream().mapToDouble(o -> sigmaUs(o, relativeSigmas, roughly)).toArray();
    try {
      return new LeastSquares(rows, values, sigmas).solve();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "the measurements do not tell all constants (request, step, prefill token, decoding"
              + " sequence, context token, prefill pair, counted from 0): "
              + e.getMessage(),
          e);
    }
  }

  /** Standard error of an observation's median. */
  private static double sigmaUs(Observation o, double[] relativeSigmas, double[] roughly) {
    double own = relativeSigmas[o.kind().ordinal()] * o.measuredUs() / Math.sqrt(o.repeats());
    if (o.kind() != Observation.Kind.FIRST_TOKEN_BESIDE_DECODING) {
      return own;
    }
    // The prompt comes at any point of a step: median of as many uniform times.
    double stepUs =
        roughly[Constant.STEP.ordinal()]
            + roughly[Constant.DECODE_SEQUENCE.ordinal()] * o.decoding()
            + roughly[Constant.DECODE_CONTEXT_TOKEN.ordinal()] * o.contextTokens();
    return Math.hypot(own, stepUs / (2 * Math.sqrt(o.repeats() + 2.0)));
  }

  /** How far single times of one kind lie apart; beside decoding as for the idle engine. */
  private double[] relativeSigmas() {
    double[] sigmas = new double[Observation.Kind.values().length];
    for (Observation.Kind kind : Observation.Kind.values()) {
      Observation.Kind like =
          kind == Observation.Kind.FIRST_TOKEN_BESIDE_DECODING
              ? Observation.Kind.FIRST_TOKEN
              : kind;
      List<Double> distances =
          observations.stream()
              .filter(o -> o.kind() == like)
              .map(o -> SIGMA_OF_MEDIAN_DISTANCE * o.spreadUs() / o.measuredUs())
              .toList();
      sigmas[kind.ordinal()] =
          distances.isEmpty()
              ? LEAST_RELATIVE_SIGMA
              : Math.max(LEAST_RELATIVE_SIGMA, Samples.median(distances));
    }
    return sigmas;
  }

  double value(Constant constant) {
    return coefficients[constant.ordinal()];
  }

  /** Half the width of the 95 % interval. */
  double margin(Constant constant) {
    return Z95 * standardErrors[constant.ordinal()];
  }

  double predictedUs(Observation observation) {
    double[] shares = observation.shares(tokenBudget);
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += shares[i] * coefficients[i];
    }
    return sum;
  }

  /** Measured over predicted, less 1. */
  double residual(Observation observation) {
    return observation.measuredUs() / predictedUs(observation) - 1;
  }

  /** Residuals of each kind. */
  Map<Observation.Kind, double[]> residuals() {
    Map<Observation.Kind, double[]> residuals = new EnumMap<>(Observation.Kind.class);
    for (Observation.Kind kind : Observation.Kind.values()) {
      double[] ofKind =
          observations.stream().filter(o -> o.kind() == kind).mapToDouble(this::residual).toArray();
      if (ofKind.length > 0) {
        residuals.put(kind, ofKind);
      }
    }
    return residuals;
  }

  static double rms(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(v -> v * v).average().orElse(0));
  }
}
