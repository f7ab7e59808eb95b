package io.warmpath.lab.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.StepExecutor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calibration in virtual time: what comes out is what went in. */
class CalibrationTest {

  private static final double TOLERANCE = 0.03;

  /** What a constant that is not there may explain of any measurement. */
  private static final double NOTHING = 0.005;

  private static CalibrationPlan plan(EngineProfile profile, List<Integer> concurrencies) {
    return new CalibrationPlan(
        List.of(64, 128, 256, 512, 1024, 2048),
        List.of(0.0, 0.5, 0.9),
        concurrencies,
        List.of(64, 2048),
        List.of(1, 4, 16),
        7,
        profile.tokenBudget(),
        profile.blockTokens(),
        1);
  }

  private static List<Observation> measure(EngineProfile profile, List<Integer> concurrencies) {
    return new Calibration(EngineTarget.modelled(profile), plan(profile, concurrencies), done -> {})
        .run();
  }

  @ParameterizedTest
  @MethodSource("io.warmpath.replica.engine.EngineProfile#builtIn")
  void everyConstantOfAProfileIsRecovered(String name) {
    EngineProfile profile = EngineProfile.load(name);
    List<Observation> observations = measure(profile, List.of(0, 4, 16));
    ProfileFit fit = new ProfileFit(observations, profile.tokenBudget());
    for (Constant constant : Constant.values()) {
      double actual = constant.of(profile);
      double fitted = fit.value(constant);
      if (actual > 0) {
        assertEquals(actual, fitted, TOLERANCE * actual, constant.field());
      } else {
        for (Observation o : observations) {
          double us = fitted * o.shares(profile.tokenBudget())[constant.ordinal()];
          assertTrue(us <= NOTHING * o.measuredUs(), constant.field() + " gives " + us + " µs");
        }
      }
    }
  }

  @Test
  void stepsThatAreComputedTakeWhatTheirExecutorSays() {
    EngineProfile limits = EngineProfile.load("founding");
    StepExecutor twoConstants =
        (batch, speed) ->
            batch.stream()
                .mapToLong(s -> s.decoding() ? 7 : 3L * s.scheduledTokens())
                .reduce(500, Long::sum);
    EngineTarget target = new EngineTarget("computed", limits, twoConstants, () -> {});
    List<Observation> observations =
        new Calibration(target, plan(limits, List.of(0, 4)), done -> {}).run();
    ProfileFit fit = new ProfileFit(observations, limits.tokenBudget());
    assertEquals(500, fit.value(Constant.STEP), 500 * TOLERANCE);
    assertEquals(3, fit.value(Constant.PREFILL_TOKEN), 3 * TOLERANCE);
    assertEquals(7, fit.value(Constant.DECODE_SEQUENCE), 7 * TOLERANCE);
  }

  @Test
  void plannedCombinationsAreAllMeasuredAndExplained() {
    EngineProfile profile = EngineProfile.load("founding");
    List<Observation> observations = measure(profile, List.of(0, 4));
    assertEquals(18 + 18 + 6, observations.size());
    assertTrue(observations.stream().allMatch(o -> o.repeats() == 7));
    Observation half =
        observations.stream()
            .filter(o -> o.kind() == Observation.Kind.FIRST_TOKEN && o.promptTokens() == 1024)
            .skip(1)
            .findFirst()
            .orElseThrow();
    assertEquals(512, half.cachedTokens());
    CalibrationReport report = CalibrationReport.of("it", observations, profile, profile);
    assertEquals(plan(profile, List.of(0, 4)).probes(), report.probes());
    for (CalibrationReport.Residuals residuals : report.residuals()) {
      boolean besides = residuals.kind().equals("first_token_beside_decoding");
      // Beside decoding, what is left of a step is chance.
      assertTrue(residuals.rms() < (besides ? 0.05 : 1e-3), residuals.toString());
    }
    for (CalibrationReport.Estimate estimate : report.constants()) {
      assertTrue(estimate.low() <= estimate.value() && estimate.value() <= estimate.high());
    }
  }

  @Test
  void promptsAboveTheBudgetTakeSeveralSteps() {
    EngineProfile small = EngineProfile.load("founding");
    Observation long2048 = new Observation(Observation.Kind.FIRST_TOKEN, 5_000, 0, 0, 0, 1, 0, 1);
    double[] shares = long2048.shares(small.tokenBudget());
    assertEquals(3, shares[Constant.STEP.ordinal()]);
    assertEquals(5_000.0 * 5_001 / 2, shares[Constant.PREFILL_PAIR.ordinal()]);
  }

  @Test
  void planThatCannotTellTheConstantsIsRefused() {
    EngineProfile profile = EngineProfile.load("founding");
    CalibrationPlan oneByOne =
        new CalibrationPlan(
            List.of(64, 128, 256),
            List.of(0.0),
            List.of(0),
            List.of(64),
            List.of(1),
            1,
            profile.tokenBudget(),
            profile.blockTokens(),
            1);
    List<Observation> observations =
        new Calibration(EngineTarget.modelled(profile), oneByOne, done -> {}).run();
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> new ProfileFit(observations, profile.tokenBudget()));
    assertTrue(refusal.getMessage().contains("do not tell"), refusal.getMessage());
  }
}
