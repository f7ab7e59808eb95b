package io.warmpath.lab.calibrate;

import java.util.Arrays;

/**
 * Weighted linear least squares in which no coefficient is below 0: what would come out negative is
 * set to 0, the most certain one first, and the others are fitted again.
 */
final class LeastSquares {

  private static final double SINGULAR = 1e-11;

  /**
   * A fit.
   *
   * @param coefficients 0 and more
   * @param standardErrors of each, from the residuals; 0 where the coefficient was set to 0
   */
  record Solution(double[] coefficients, double[] standardErrors) {}

  private final double[][] rows;
  private final double[] values;
  private final int columns;

  /**
   * @param rows factors of each observation
   * @param values what was observed
   * @param sigmas standard error of each, above 0
   */
  LeastSquares(double[][] rows, double[] values, double[] sigmas) {
    columns = rows[0].length;
    this.rows = new double[rows.length][columns];
    this.values = new double[values.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < columns; j++) {
        this.rows[i][j] = rows[i][j] / sigmas[i];
      }
      this.values[i] = values[i] / sigmas[i];
    }
  }

  /**
   * Solves it.
   *
   * @throws ArithmeticException if the observations do not tell the coefficients apart
   */
  Solution solve() {
    int[] free = new int[columns];
    Arrays.setAll(free, j -> j);
    while (true) {
      Solution solution = solve(free);
      int worst = -1;
      double worstRatio = 0;
      for (int j : free) {
        double ratio = solution.coefficients[j] / Math.max(solution.standardErrors[j], 1e-300);
        if (solution.coefficients[j] < 0 && (worst < 0 || ratio < worstRatio)) {
          worst = j;
          worstRatio = ratio;
        }
      }
      if (worst < 0) {
        return solution;
      }
      int dropped = worst;
      free = Arrays.stream(free).filter(j -> j != dropped).toArray();
    }
  }

  private Solution solve(int[] free) {
    int n = free.length;
    double[] scale = new double[n];
    for (int a = 0; a < n; a++) {
      scale[a] = Math.sqrt(product(free[a], free[a]));
      if (scale[a] == 0) {
        throw new ArithmeticException("nothing was measured that tells coefficient " + free[a]);
      }
    }
    double[][] inverse = new double[n][n];
    double[] right = new double[n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        inverse[a][b] = product(free[a], free[b]) / (scale[a] * scale[b]);
      }
      for (int i = 0; i < rows.length; i++) {
        right[a] += rows[i][free[a]] / scale[a] * values[i];
      }
    }
    invert(inverse, free);
    double[] coefficients = new double[columns];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        coefficients[free[a]] += inverse[a][b] * right[b] / scale[a];
      }
    }
    double variance = squaredResiduals(coefficients) / Math.max(1, rows.length - n);
    double[] errors = new double[columns];
    for (int a = 0; a < n; a++) {
      errors[free[a]] = Math.sqrt(Math.max(0, variance * inverse[a][a])) / scale[a];
    }
    return new Solution(coefficients, errors);
  }

  private double product(int a, int b) {
    double sum = 0;
    for (double[] row : rows) {
      sum += row[a] * row[b];
    }
    return sum;
  }

  private double squaredResiduals(double[] coefficients) {
    double sum = 0;
    for (int i = 0; i < rows.length; i++) {
      double residual = values[i];
      for (int j = 0; j < columns; j++) {
        residual -= rows[i][j] * coefficients[j];
      }
      sum += residual * residual;
    }
    return sum;
  }

  /** Gauss and Jordan, in place; the matrix is symmetric and positive. */
  private static void invert(double[][] matrix, int[] free) {
    int n = matrix.length;
    for (int k = 0; k < n; k++) {
      double pivot = matrix[k][k];
      if (!(pivot > SINGULAR)) {
        throw new ArithmeticException(
            "what was measured does not tell coefficient " + free[k] + " from those before it");
      }
      matrix[k][k] = 1;
      for (int j = 0; j < n; j++) {
        matrix[k][j] /= pivot;
      }
      for (int i = 0; i < n; i++) {
        if (i != k) {
          double factor = matrix[i][k];
          matrix[i][k] = 0;
          for (int j = 0; j < n; j++) {
            matrix[i][j] -= factor * matrix[k][j];
          }
        }
      }
    }
  }
}
