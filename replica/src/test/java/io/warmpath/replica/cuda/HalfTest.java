package io.warmpath.replica.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HalfTest {

  @Test
  void everyHalfSurvivesTheWayToFloatAndBack() {
    for (int bits = 0; bits <= 0xffff; bits++) {
      float value = Half.toFloat((short) bits);
      if (Float.isNaN(value)) {
        assertTrue(Float.isNaN(Half.round(value)));
      } else {
        assertEquals((short) bits, Half.fromFloat(value));
      }
    }
  }

  /** The finite ones are those of Python's struct format 'e', which refuses the others. */
  @ParameterizedTest
  @CsvSource({
    "1, 3c00",
    "-2, c000",
    "0.1, 2e66",
    "65504, 7bff",
    "65519.99, 7bff",
    "65520, 7c00",
    "-1e30, fc00",
    "5.9604645e-8, 0001",
    "2.9802322e-8, 0000",
    "2.98024e-8, 0001",
    "6.1e-5, 03ff",
    "6.1035156e-5, 0400",
    "1.00048828125, 3c00",
    "1.00146484375, 3c02",
    "-0.0, 8000"
  })
  void roundsToTheNearestAndOfTwoToTheEven(float value, String half) {
    assertEquals((short) Integer.parseInt(half, 16), Half.fromFloat(value));
  }
}
