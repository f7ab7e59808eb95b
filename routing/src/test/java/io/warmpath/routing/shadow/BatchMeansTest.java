package io.warmpath.routing.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchMeansTest {

  private final BatchMeans batches = new BatchMeans();

  @Test
  void fewerBatchesThanItsQuantileIsOfSayNothing() {
    assertEquals(OptionalDouble.empty(), batches.uncachedTokensError());
    addAlternating(15);
    assertEquals(OptionalDouble.empty(), batches.uncachedTokensError());
    addAlternating(1);
    assertTrue(batches.uncachedTokensError().isPresent());
    batches.clear();
    assertEquals(OptionalDouble.empty(), batches.uncachedTokensError());
  }

  /** Student's t of 15 is 2.131; 16 residuals of 50 tokens: 2.131 · √(16 · 50² · 16 / 15). */
  @Test
  void itIsTheScatterOfTheBatchesAroundTheCommonRatio() {
    addAlternating(16);
    assertEquals(440.18, batches.uncachedTokensError().getAsDouble(), 0.01);
  }

  @Test
  void promptsOfWhichTheSameShareIsComputedDoNotScatter() {
    for (int i = 1; i <= 20; i++) {
      batches.add(100L * i, 25L * i);
    }
    assertEquals(0, batches.uncachedTokensError().getAsDouble(), 1e-6);
  }

  /**
   * Of 33 requests the last is a batch alone. The ratio is 16/33, so that 16 pairs of 200 tokens
   * are off by 3.0303 each and the last by 48.4848: 2.131 · √((16 · 9.1827 + 2350.78) · 17 / 16).
   */
  @Test
  void whatScattersWithinABatchDoesNotCount() {
    addAlternating(33);
    assertEquals(109.78, batches.uncachedTokensError().getAsDouble(), 0.01);
  }

  @Test
  void nineteenOfTwentyIntervalsHoldTheTruth() {
    int held = 0;
    int runs = 2_000;
    SplittableRandom random = new SplittableRandom(1);
    for (int run = 0; run < runs; run++) {
      batches.clear();
      // 16 batches are the fewest that it says anything of, so its interval is the widest there.
      int requests = 16 + run % 200;
      double computed = 0;
      for (int i = 0; i < requests; i++) {
        int uncached = random.nextInt(1_001);
        computed += uncached;
        batches.add(1_000, uncached);
      }
      double off = Math.abs(computed - 500.0 * requests);
      held += off <= batches.uncachedTokensError().getAsDouble() ? 1 : 0;
    }
    assertTrue(held >= 0.94 * runs, held + " of " + runs);
    assertTrue(held <= 0.97 * runs, held + " of " + runs);
  }

  @Test
  void aRestartChangesNothing() throws IOException {
    addAlternating(45);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    batches.writeTo(new DataOutputStream(bytes));
    BatchMeans back = new BatchMeans();
    back.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    batches.add(300, 7);
    back.add(300, 7);
    assertEquals(batches.uncachedTokensError(), back.uncachedTokensError());
  }

  /** Prompts of 100 tokens, of which one is computed and the next is not. */
  private void addAlternating(int requests) {
    for (int i = 0; i < requests; i++) {
      batches.add(100, i % 2 == 0 ? 0 : 100);
    }
  }
}
