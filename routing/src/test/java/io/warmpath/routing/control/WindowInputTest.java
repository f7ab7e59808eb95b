package io.warmpath.routing.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WindowInputTest {

  @Test
  void rejectedRequestsAreUnknownOnesAlready() {
    WindowInput input = Rows.ending(60_000).meanTokens(1_000).rejected(40).unknown(120).build();

    assertEquals(1_000, input.typicalTokens());
  }
}
