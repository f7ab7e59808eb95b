package io.warmpath.replica.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.replica.cuda.CudaEngine.StepTimes;
import io.warmpath.replica.cuda.StepMeasurement.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepFitTest {

  @Test
  void findsTheConstantsThatMadeTheSteps() {
    StepFit fit =
        StepFit.of(List.of(step(100, 0), step(800, 0), step(0, 4), step(0, 64), step(300, 8)));

    assertEquals(5_000, fit.b0Us(), 1e-6);
    assertEquals(20, fit.b1Us(), 1e-8);
    assertEquals(7, fit.b2Us(), 1e-8);
    assertEquals(0, fit.largestResidual(), 1e-9);
  }

  @Test
  void tellsHowFarAStepIsOff() {
    Step off = new Step(800, 0, 2 * step(800, 0).wallUs(), new StepTimes(0, 0));

    StepFit fit = StepFit.of(List.of(step(100, 0), step(400, 0), off, step(0, 4), step(0, 64)));

    assertEquals(0.3, fit.largestResidual(), 0.2);
  }

  @Test
  void stepsOfOneKindDetermineNothing() {
    assertThrows(IllegalArgumentException.class, () -> StepFit.of(List.of(step(0, 4))));
  }

  private static Step step(int prefillTokens, int decodeSequences) {
    long us = 5_000 + 20L * prefillTokens + 7L * decodeSequences;
    return new Step(prefillTokens, decodeSequences, us, new StepTimes(0, 0));
  }
}
