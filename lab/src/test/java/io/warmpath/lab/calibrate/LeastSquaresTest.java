package io.warmpath.lab.calibrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeastSquaresTest {

  private static final double[][] LINE = {{1, 1}, {1, 2}, {1, 3}, {1, 4}};
  private static final double[] EQUAL = {1, 1, 1, 1};

  @Test
  void exactValuesGiveTheirCoefficients() {
    LeastSquares.Solution solution =
        new LeastSquares(LINE, new double[] {5, 7, 9, 11}, EQUAL).solve();
    assertArrayEquals(new double[] {3, 2}, solution.coefficients(), 1e-9);
    assertArrayEquals(new double[] {0, 0}, solution.standardErrors(), 1e-6);
  }

  @Test
  void standardErrorsAreThoseOfTheTextbook() {
    // Residuals ±1 about 3 + 2 x: s² = 4 / 2, var(slope) = s² / 5, var(intercept) = s² · 30 / 20.
    LeastSquares.Solution solution =
        new LeastSquares(LINE, new double[] {6, 6, 8, 12}, EQUAL).solve();
    assertArrayEquals(new double[] {3, 2}, solution.coefficients(), 1e-9);
    assertArrayEquals(
        new double[] {Math.sqrt(2.0 * 30 / 20), Math.sqrt(2.0 / 5)},
        solution.standardErrors(),
        1e-9);
  }

  @Test
  void uncertainValueCountsLittle() {
    LeastSquares.Solution solution =
        new LeastSquares(LINE, new double[] {5, 7, 9, 99}, new double[] {1, 1, 1, 1e9}).solve();
    assertArrayEquals(new double[] {3, 2}, solution.coefficients(), 1e-6);
  }

  @Test
  void negativeCoefficientBecomesZeroAndTheRestIsFittedAgain() {
    LeastSquares.Solution solution =
        new LeastSquares(LINE, new double[] {1, 4, 7, 10}, EQUAL).solve();
    assertEquals(0, solution.coefficients()[0]);
    assertEquals((1 + 8 + 21 + 40) / 30.0, solution.coefficients()[1], 1e-9);
  }

  @Test
  void coefficientsThatNothingTellsApartAreRefused() {
    double[][] twice = {{1, 2}, {2, 4}, {3, 6}};
    LeastSquares fit = new LeastSquares(twice, new double[] {1, 2, 3}, new double[] {1, 1, 1});
    assertThrows(ArithmeticException.class, fit::solve);
  }

  @Test
  void intervalsHoldTheTruthAsOftenAsTheySay() {
    SplittableRandom random = new SplittableRandom(1);
    int inside = 0;
    for (int run = 0; run < 1_000; run++) {
      double[][] rows = new double[40][];
      double[] values = new double[40];
      for (int i = 0; i < 40; i++) {
        rows[i] = new double[] {1, i};
        values[i] = 100 + 3 * i + random.nextGaussian();
      }
      double[] ones = new double[40];
      Arrays.fill(ones, 1);
      LeastSquares.Solution solution = new LeastSquares(rows, values, ones).solve();
      double distance = Math.abs(solution.coefficients()[1] - 3);
      inside += distance <= 1.96 * solution.standardErrors()[1] ? 1 : 0;
    }
    assertTrue(inside > 920 && inside < 970, inside + " of 1000");
  }
}
