package io.warmpath.lab.screen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemainingTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "0, 10, 5, ''",
        "5, 10, 5, ', 5 s left'",
        "1, 26, 5, ', 2 min 5 s left'",
        "10, 10, 5, ''"
      })
  void whatIsLeftTakesAsLongAsWhatIsDone(long done, long total, long seconds, String text) {
    assertEquals(text, Remaining.from(7).text(done, total, 7 + seconds * 1_000_000_000));
  }
}
