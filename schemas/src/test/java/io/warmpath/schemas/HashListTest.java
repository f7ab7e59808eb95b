package io.warmpath.schemas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.schemas.codec.InvalidRecordException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HashListTest {

  @Example
  void theWireFormIsBase64OfLittleEndianValues() {
    assertEquals("AQAAAAAAAAD/////////fw==", HashList.of(1, Long.MAX_VALUE).toBase64());
    assertEquals("", HashList.of().toBase64());
  }

  @Property
  void readingGivesBackWhatWasWritten(@ForAll long[] hashes) {
    HashList list = HashList.fromBase64(HashList.of(hashes).toBase64());
    assertEquals(HashList.of(hashes), list);
    assertArrayEquals(hashes, list.toArray());
  }

  @Example
  void theListDoesNotChangeWithItsSource() {
    long[] source = {1, 2, 3};
    HashList whole = HashList.of(source);
    HashList head = HashList.copyOf(source, 2);
    source[0] = 9;
    whole.toArray()[1] = 9;
    assertEquals(HashList.of(1, 2, 3), whole);
    assertEquals(HashList.of(1, 2), head);
  }

  @Example
  void textThatIsNoListIsRefused() {
    for (String text : new String[] {"AAAA", "AQAAAAAAAAA", "!!!!", "AQ=="}) {
      assertThrows(InvalidRecordException.class, () -> HashList.fromBase64(text), text);
    }
  }
}
