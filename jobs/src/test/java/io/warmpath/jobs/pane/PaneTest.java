package io.warmpath.jobs.pane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.measure.DurationSketch;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When the values of a pane are counted changes nothing of what it holds. */
class PaneTest {

  private final SplittableRandom random = new SplittableRandom(3);

  /** Mostly as durations are, and at times beyond 32 bits. */
  private long micros() {
    return random.nextInt(50) == 0 ? random.nextLong(1L << 40) : random.nextInt(5_000_000);
  }

  @Test
  void holdsWhatSketchesAndBinsWould() {
    for (int round = 0; round < 100; round++) {
      Pane pane = new Pane();
      PaneSum sum = new PaneSum();
      DurationSketch sketch = new DurationSketch();
      FitBins fit = new FitBins();
      for (int left = 1 + random.nextInt(1_500); left > 0; left--) {
        long micros = micros();
        pane.add(Timing.E2E, micros);
        sketch.add(micros);
        pane.addFitSample(micros / 100, micros);
        fit.add(micros / 100, micros);
        if (random.nextInt(500) == 0) {
          assertEquals(sketch, pane.get(Timing.E2E));
          assertEquals(fit, pane.fit());
        }
      }
      sum.add(pane);
      Pane added = sum.take();
      assertEquals(sketch, added.get(Timing.E2E));
      assertEquals(fit, added.fit());
      assertEquals(pane, added);
      assertEquals(pane, pane.copy());
      assertNull(added.get(Timing.TTFT));
    }
  }

  @Test
  void mergesWhatIsNotCountedYet() {
    Pane one = new Pane();
    Pane other = new Pane();
    DurationSketch both = new DurationSketch();
    for (int i = 0; i < 40; i++) {
      one.add(Timing.TTFT, i);
      other.add(Timing.TTFT, i * 1_000);
      both.add(i);
      both.add(i * 1_000);
    }
    one.merge(other);
    assertEquals(both, one.get(Timing.TTFT));
    assertEquals(40, other.get(Timing.TTFT).count());
  }

  @Test
  void forgetsSamplesThatAreNotCountedYet() {
    Pane pane = new Pane();
    pane.addFitSample(100, 20);
    pane.dropFit();
    assertNull(pane.fit());
  }

  @Test
  void refusesWhatIsNegative() {
    Pane pane = new Pane();
    assertThrows(IllegalArgumentException.class, () -> pane.add(Timing.TTFT, -1));
    assertThrows(IllegalArgumentException.class, () -> pane.addFitSample(-1, 1));
  }
}
