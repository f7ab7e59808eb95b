package io.warmpath.console.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class WeightScaleTest {

  @Test
  void aThousandStandsForTheMean() {
    assertArrayEquals(
        new int[] {1_284, 1_000, 50, 0},
        WeightScale.THOUSANDTHS.scale(new double[] {1.284, 1, 0.05, 0}));
  }

  @Test
  void haproxysScaleIsThePowerOfTwoThatFits() {
    assertArrayEquals(new int[] {256}, WeightScale.UP_TO_256.scale(new double[] {1}));
    assertArrayEquals(new int[] {166, 90}, WeightScale.UP_TO_256.scale(new double[] {1.3, 0.7}));
    assertArrayEquals(new int[] {256, 3}, WeightScale.UP_TO_256.scale(new double[] {4, 0.05}));
  }

  @Test
  void whatIsNotDrainedGetsAtLeastOne() {
    assertEquals(1, WeightScale.UP_TO_256.scale(new double[] {4, 0.001})[1]);
  }

  /** The control law's floor and ceiling are 0.05 and 4. */
  @Property
  void eachNumberIsWithinAHalfAndTheSumWithinAHalfEach(
      @ForAll @NotEmpty List<@DoubleRange(min = 0.05, max = 4) Double> weights,
      @ForAll WeightScale scale) {
    double[] exact = weights.stream().mapToDouble(w -> w).toArray();
    int[] scaled = scale.scale(exact);
    double factor = scale.factor(Arrays.stream(exact).max().orElseThrow());
    for (int i = 0; i < exact.length; i++) {
      assertTrue(scaled[i] >= 1);
      assertEquals(exact[i] * factor, scaled[i], 0.5 + 1e-9);
    }
    double sum = Arrays.stream(exact).sum() * factor;
    assertEquals(sum, Arrays.stream(scaled).sum(), exact.length / 2.0 + 1e-6);
  }

  @Property
  void haproxysNumbersNeverPassItsLimit(
      @ForAll @NotEmpty List<@DoubleRange(min = 0.01, max = FleetWeights.MAX_WEIGHT) Double> all) {
    int[] scaled = WeightScale.UP_TO_256.scale(all.stream().mapToDouble(w -> w).toArray());
    int largest = Arrays.stream(scaled).max().orElseThrow();
    assertTrue(largest > 127 && largest <= 256, () -> Arrays.toString(scaled));
  }
}
