package io.warmpath.routing.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SketchSumTest {

  private final SplittableRandom random = new SplittableRandom(11);

  private DurationSketch sketch(int values) {
    DurationSketch sketch = new DurationSketch();
    for (int i = 0; i < values; i++) {
      // Of all magnitudes, up to those whose sums saturate.
      sketch.add(random.nextLong() >>> 1 + random.nextInt(62));
    }
    return sketch;
  }

  @Test
  void isWhatMergingGivesAndBeginsAnewEachTime() {
    SketchSum sum = new SketchSum();
    for (int round = 0; round < 200; round++) {
      DurationSketch merged = new DurationSketch();
      for (int parts = random.nextInt(10); parts > 0; parts--) {
        DurationSketch part = sketch(random.nextInt(40));
        DurationSketch before = part.copy();
        merged.merge(part);
        sum.add(part);
        assertEquals(before, part);
      }
      assertEquals(merged.isEmpty(), sum.isEmpty());
      assertEquals(merged, sum.take());
      assertTrue(sum.isEmpty());
    }
  }

  @Test
  void valuesAddedOneByOneAreThoseOfASketch() {
    SketchSum sum = new SketchSum();
    for (int round = 0; round < 200; round++) {
      DurationSketch expected = sketch(random.nextInt(20));
      sum.add(expected);
      for (int left = random.nextInt(40); left > 0; left--) {
        long micros = random.nextLong() >>> 1 + random.nextInt(62);
        expected.add(micros);
        sum.add(micros);
      }
      assertEquals(expected, sum.take());
    }
    assertThrows(IllegalArgumentException.class, () -> sum.add(-1));
    assertTrue(sum.isEmpty());
  }

  @Test
  void whatItMakesChangesOnItsOwn() {
    SketchSum sum = new SketchSum();
    sum.add(sketch(20));
    DurationSketch made = sum.take();
    DurationSketch copy = made.copy();
    made.merge(sketch(20));
    made.add(1);
    sum.add(copy);
    assertEquals(copy, sum.take());
  }
}
