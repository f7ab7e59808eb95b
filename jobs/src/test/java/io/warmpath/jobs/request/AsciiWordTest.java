package io.warmpath.jobs.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AsciiWordTest {

  private static final int ROUNDS = 300_000;
  private static final byte[] FREQUENT =
      "0123456789\"\\ !/:a\u007f\u0000\u001f".getBytes(StandardCharsets.US_ASCII);

  private final SplittableRandom random = new SplittableRandom(7);

  /** Eight bytes, half of them next to what is looked for, the rest any. */
  private byte[] bytes() {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] =
          random.nextBoolean()
              ? FREQUENT[random.nextInt(FREQUENT.length)]
              : (byte) random.nextInt(256);
    }
    return bytes;
  }

  @Test
  void findsTheFirstByteThatEndsPlainText() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = bytes();
      int first = 0;
      while (first < bytes.length
          && bytes[first] >= ' '
          && bytes[first] != '"'
          && bytes[first] != '\\') {
        first++;
      }
      long ends = AsciiWord.endsOfText(AsciiWord.at(bytes, 0));
      assertEquals(first, ends == 0 ? Long.BYTES : AsciiWord.firstOf(ends));
    }
  }

  @Test
  void readsTheDigitsThatItBeginsWith() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = bytes();
      int digits = 0;
      long value = 0;
      while (digits < bytes.length && bytes[digits] >= '0' && bytes[digits] <= '9') {
        value = value * 10 + bytes[digits++] - '0';
      }
      long word = AsciiWord.at(bytes, 0);
      assertEquals(digits, AsciiWord.digits(word));
      assertEquals(value, AsciiWord.value(word, digits));
    }
  }

  @Test
  void readsNumbersOfEachLength() {
    for (int digits = 1; digits <= Long.BYTES; digits++) {
      for (int round = 0; round < 10_000; round++) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < digits; i++) {
          text.append(random.nextInt(10));
        }
        byte[] bytes = (text + ",\"abcdefg").getBytes(StandardCharsets.US_ASCII);
        assertEquals(
            Long.parseLong(text.toString()), AsciiWord.value(AsciiWord.at(bytes, 0), digits));
      }
    }
  }
}
