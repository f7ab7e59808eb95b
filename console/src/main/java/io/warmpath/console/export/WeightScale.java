package io.warmpath.console.export;

import java.util.Arrays;

/**
 * Turns weights into the whole numbers that routers take: weight · scale, rounded, at least 1; 0
 * stays 0. Each number depends on its own weight (and the scale) alone, so that a change of one
 * replica's weight leaves the others' numbers as they are.
 *
 * <p>Each number is at most 1/2 off its quota (the floor of 1 at most 1), so the sum of n of them
 * is at most n/2 off its own while no quota is below 1/2.
 */
public enum WeightScale {
  /** 1,000 for a weight of 1: a share is off by less than 0.06 % of itself where weights are 1. */
  THOUSANDTHS {
    @Override
    double factor(double largest) {
      return 1_000;
    }
  },
  /**
   * The largest power of two at which the largest weight is at most 256, which is HAProxy's limit:
   * for weights of up to 2 it is 128. It changes only where the largest weight crosses a power of
   * two.
   */
  UP_TO_256 {
    @Override
    double factor(double largest) {
      return Math.scalb(1.0, Math.getExponent(256 / largest));
    }
  };

  abstract double factor(double largest);

  /**
   * The whole numbers.
   *
   * @param weights each from 0 to 1,000, at least one above 0
   */
  public int[] scale(double[] weights) {
    double factor = factor(Arrays.stream(weights).max().orElse(1));
    return Arrays.stream(weights)
        .mapToInt(weight -> weight == 0 ? 0 : (int) Math.max(1, Math.round(weight * factor)))
        .toArray();
  }
}
