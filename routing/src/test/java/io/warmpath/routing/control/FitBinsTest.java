package io.warmpath.routing.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FitBinsTest {

  private static final int ROUNDS = 20_000;

  private final SplittableRandom random = new SplittableRandom(5);

  /** Of all magnitudes, beyond the longest prompts too. */
  private long tokens() {
    return random.nextLong() >>> 24 + random.nextInt(40);
  }

  @Test
  void aLoadIsInTheHighestBinThatBeginsAtItOrBelow() {
    for (int round = 0; round < ROUNDS; round++) {
      long tokens = round < 200 ? round : tokens();
      int expected = 0;
      for (int bin = 1; bin < FitBins.BINS; bin++) {
        expected = lowestOf(bin) <= tokens ? bin : expected;
      }
      FitBins bins = new FitBins();
      bins.add(tokens, 1);
      assertEquals(1, bins.count(expected), "bin of " + tokens);
    }
  }

  /** Two to each power of two, the second from its root of two times on. */
  private static long lowestOf(int bin) {
    long power = 32L << bin / 2;
    return bin % 2 == 0 ? power : power * 46341 >> 15;
  }

  @Test
  void samplesAddedToASumAreThoseOfBins() {
    FitBins.Sum sum = new FitBins.Sum();
    for (int round = 0; round < 100; round++) {
      FitBins expected = new FitBins();
      for (int i = 0; i < 30; i++) {
        long tokens = tokens();
        long micros = random.nextInt(1_000_000);
        expected.add(tokens, micros);
        if (i < 10) {
          FitBins one = new FitBins();
          one.add(tokens, micros);
          sum.add(one);
        } else {
          sum.add(tokens, micros);
        }
      }
      assertEquals(expected, sum.take());
    }
  }
}
