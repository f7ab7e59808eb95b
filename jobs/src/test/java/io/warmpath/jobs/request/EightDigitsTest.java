package io.warmpath.jobs.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EightDigitsTest {

  @Property
  void readsTheDigitsBeforeTheFirstOtherByte(
      @ForAll @IntRange(max = 99_999_999) int number, @ForAll @Size(16) byte[] behind) {
    byte[] digits = Integer.toString(number).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    byte[] bytes = behind.clone();
    System.arraycopy(digits, 0, bytes, 0, digits.length);
    int expected = digits.length;
    while (expected < EightDigits.COUNT && Character.isDigit(bytes[expected])) {
      expected++;
    }

    long word = EightDigits.at(bytes, 0);

    assertEquals(expected, EightDigits.leading(word));
    assertEquals(number, EightDigits.value(word, digits.length));
  }

  @Property
  void readsNothingWhereNoDigitStands(@ForAll @Size(8) byte[] bytes) {
    int expected = 0;
    while (expected < bytes.length && bytes[expected] >= '0' && bytes[expected] <= '9') {
      expected++;
    }
    assertEquals(expected, EightDigits.leading(EightDigits.at(bytes, 0)));
    assertEquals(0, EightDigits.value(EightDigits.at(bytes, 0), 0));
  }
}
