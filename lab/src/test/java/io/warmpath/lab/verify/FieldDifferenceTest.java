package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FieldDifferenceTest {

  private static FieldDifference between(String one, String other, String... ignored) {
    return FieldDifference.between(
        one.getBytes(StandardCharsets.UTF_8),
        other.getBytes(StandardCharsets.UTF_8),
        Set.of(ignored)::contains);
  }

  @Test
  void whatMayDifferIsPassedOverAndTheNextIsFound() {
    String one = "{\"a\":1,\"b\":[{\"c\":1},{\"c\":2}],\"d\":1}";
    String other = "{\"a\":2,\"b\":[{\"c\":1},{\"c\":3}],\"d\":1}";
    assertEquals("a", between(one, other).field());
    assertEquals("b[1].c", between(one, other, "a").field());
    assertNull(between(one, other, "a", "b.c"));
  }

  @Test
  void aFieldThatOnlyOneHasIsADifferenceUntilItIsNamed() {
    assertEquals(new FieldDifference("b", null, "1"), between("{\"a\":1}", "{\"a\":1,\"b\":1}"));
    assertNull(between("{\"a\":1}", "{\"a\":1,\"b\":1}", "b"));
  }

  @Test
  void otherBytesOfTheSameValuesAreNoChangeThatCouldBeNamed() {
    assertEquals("the same values", between("{\"a\":1}", "{\"a\": 1}", "a").one());
  }
}
