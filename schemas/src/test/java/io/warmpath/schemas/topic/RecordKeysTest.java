package io.warmpath.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;

class RecordKeysTest {

  @Example
  void aWindowIsKeyedByItsNamesSizeAndEnd() {
    assertEquals("m|adaptive|*|60000|120000", RecordKeys.of(row("m", "adaptive", "*")));
  }

  @Example
  void separatorsInNamesAreEncoded() {
    assertEquals("a%7Cb|c%25d|%257C|60000|120000", RecordKeys.of(row("a|b", "c%d", "%7C")));
  }

  @Example
  void aShadowIsKeyedByModelPolicyAndEnd() {
    ShadowStats shadow = new ShadowStats(0, 60_000, "m|1", "blend:0.5", 0.1, 0, 0, List.of());
    assertEquals("m%7C1|blend:0.5|60000", RecordKeys.of(shadow));
  }

  @Property
  void partsGiveBackTheNames(
      @ForAll @Chars({'|', '%'}) @CharRange(from = '0', to = '9') String model,
      @ForAll @Chars({'|', '%', 'C', '\n'}) String policy,
      @ForAll String replica) {
    String key = RecordKeys.of(row(model, policy, replica));
    assertEquals(List.of(model, policy, replica, "60000", "120000"), RecordKeys.parts(key));
  }

  @Example
  void aBadEscapeIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> RecordKeys.parts("a%2|b"));
    assertThrows(IllegalArgumentException.class, () -> RecordKeys.parts("a%41"));
  }

  private static RoutingStats row(String model, String policy, String replica) {
    Distribution none = Distribution.EMPTY;
    return new RoutingStats(
        60_000,
        120_000,
        model,
        policy,
        replica,
        false,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0.0,
        0,
        0,
        0,
        0,
        null,
        null,
        none,
        none,
        none,
        none,
        LostTokens.NONE,
        0,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
