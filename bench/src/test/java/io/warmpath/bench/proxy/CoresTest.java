package io.warmpath.bench.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {

  @Test
  void readsTheKernelsList() {
    assertEquals(List.of(0, 1, 2, 8), Cores.numbers("0-2,8"));
    assertEquals(List.of(5), Cores.numbers("5"));
    assertEquals(List.of(), Cores.numbers(""));
  }
}
