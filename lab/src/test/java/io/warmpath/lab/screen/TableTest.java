package io.warmpath.lab.screen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void alignsTheFirstColumnLeftAndTheOthersRight() {
    Table table =
        new Table()
            .row(List.of("", "one", "two"))
            .row(List.of("requests", "5", "1000"))
            .row(List.of("p95", "12.5", "–"));

    assertEquals(
        List.of(
            "           one   two", //
            "requests     5  1000",
            "p95       12.5     –"),
        table.lines());
  }

  @Test
  void aTableOfNothingHasNoLines() {
    assertEquals(List.of(), new Table().lines());
  }
}
