package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.StepMeasurement.Step;
import java.util.List;

/**
 * A step's time as {@code b0 + b1 · prefill tokens + b2 · decoding sequences}, in microseconds:
 * what a modelled engine needs to behave like this one.
 *
 * @param largestResidual largest difference to a measured step, as a share of that step
 */
public record StepFit(double b0Us, double b1Us, double b2Us, double largestResidual) {

  private static final int UNKNOWNS = 3;

  /**
   * Least squares of the relative differences, so that short steps count as much as long ones.
   *
   * @throws IllegalArgumentException if the steps do not determine it
   */
  static StepFit of(List<Step> steps) {
    double[][] normal = new double[UNKNOWNS][UNKNOWNS + 1];
    for (Step step : steps) {
      double[] row = row(step);
      for (int i = 0; i < UNKNOWNS; i++) {
        for (int j = 0; j < UNKNOWNS; j++) {
          normal[i][j] += row[i] * row[j];
        }
        normal[i][UNKNOWNS] += row[i];
      }
    }
    double[] b = solved(normal);
    double largest = 0;
    for (Step step : steps) {
      double[] row = row(step);
      largest = Math.max(largest, Math.abs(row[0] * b[0] + row[1] * b[1] + row[2] * b[2] - 1));
    }
    return new StepFit(b[0], b[1], b[2], largest);
  }

  /** What b0, b1 and b2 are multiplied by to give 1. */
  private static double[] row(Step step) {
    double us = step.wallUs();
    return new double[] {1 / us, step.prefillTokens() / us, step.decodeSequences() / us};
  }

  /** Gauss and Jordan, with the largest pivot of a column. */
  private static double[] solved(double[][] rows) {
    for (int column = 0; column < UNKNOWNS; column++) {
      int pivot = column;
      for (int row = column; row < UNKNOWNS; row++) {
        pivot = Math.abs(rows[row][column]) > Math.abs(rows[pivot][column]) ? row : pivot;
      }
      double[] swapped = rows[pivot];
      rows[pivot] = rows[column];
      rows[column] = swapped;
      if (!(Math.abs(swapped[column]) > 0)) {
        throw new IllegalArgumentException("the steps do not determine their times");
      }
      for (int row = 0; row < UNKNOWNS; row++) {
        double factor = rows[row][column] / swapped[column];
        for (int i = column; row != column && i <= UNKNOWNS; i++) {
          rows[row][i] -= factor * swapped[i];
        }
      }
    }
    double[] solution = new double[UNKNOWNS];
    for (int i = 0; i < UNKNOWNS; i++) {
      solution[i] = rows[i][UNKNOWNS] / rows[i][i];
    }
    return solution;
  }
}
