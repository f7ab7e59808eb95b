package io.warmpath.routing.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;

class RankIntervalTest {

  private static final MathContext DIGITS = new MathContext(40);
  private static final BigDecimal TAIL = new BigDecimal("0.025");

  @Test
  void isTheTightestIntervalWithSuchTails() {
    for (int n = 1; n <= 400; n++) {
      BigDecimal[] below = cumulative(n);
      RankInterval ranks = RankInterval.ofP95(n);
      int low = 0;
      while (low + 1 <= n && below[low + 1].compareTo(TAIL) <= 0) {
        low++;
      }
      int high = n;
      while (high >= 1 && BigDecimal.ONE.subtract(below[high]).compareTo(TAIL) <= 0) {
        high--;
      }
      assertEquals(low, ranks.low(), "low of n = " + n);
      assertEquals(high == n ? 0 : high + 1, ranks.high(), "high of n = " + n);
    }
  }

  /** {@code below[k]} = P(B < k). */
  private static BigDecimal[] cumulative(int n) {
    BigDecimal p = new BigDecimal("0.95");
    BigDecimal q = new BigDecimal("0.05");
    BigDecimal[] below = new BigDecimal[n + 2];
    BigDecimal term = q.pow(n, DIGITS);
    below[0] = BigDecimal.ZERO;
    for (int k = 0; k <= n; k++) {
      below[k + 1] = below[k].add(term, DIGITS);
      term =
          term.multiply(BigDecimal.valueOf(n - k), DIGITS)
              .multiply(p, DIGITS)
              .divide(BigDecimal.valueOf(k + 1).multiply(q), DIGITS);
    }
    return below;
  }

  @Test
  void thereIsNoUpperEndBelow72Values() {
    assertEquals(0, RankInterval.ofP95(71).high());
    assertEquals(72, RankInterval.ofP95(72).high());
  }

  @Test
  void manyValuesFollowTheNormalApproximation() {
    long n = 100_000_000;
    double deviation = Math.sqrt(n * 0.95 * 0.05);
    RankInterval ranks = RankInterval.ofP95(n);
    assertEquals(0.95 * n - 1.96 * deviation, ranks.low(), 5);
    assertEquals(0.95 * n + 1.96 * deviation, ranks.high(), 5);
    assertTrue(ranks.low() < ranks.high());
  }
}
