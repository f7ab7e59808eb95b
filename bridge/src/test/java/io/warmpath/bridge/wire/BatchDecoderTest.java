package io.warmpath.bridge.wire;

import static io.warmpath.bridge.fixture.Frames.batch;
import static io.warmpath.bridge.fixture.Frames.cleared;
import static io.warmpath.bridge.fixture.Frames.removed;
import static io.warmpath.bridge.fixture.Frames.stored;
import static io.warmpath.bridge.fixture.Frames.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.bridge.fixture.Frames.Layout;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchDecoderTest {

  private static final int[] TOKENS = {1, 2, 3, 4};
  private static final long[] HASHES = {11, -12};

  private final BatchDecoder decoder = new BatchDecoder();

  @ParameterizedTest
  @EnumSource
  void readsAllTypes(Layout layout) throws MalformedBatchException {
    EngineBatch read =
        decoder.decode(
            batch(
                layout, 2.5, 3, stored(HASHES, 10L, TOKENS, 2), removed(HASHES, "CPU"), cleared()));
    assertEquals(2.5, read.timeSeconds());
    assertEquals(3, read.rank());
    EngineEvent.Stored stored = (EngineEvent.Stored) read.events().get(0);
    assertArrayEquals(HASHES, stored.hashes());
    assertEquals(10, stored.parent());
    assertArrayEquals(TOKENS, stored.tokens());
    assertEquals("cpu", ((EngineEvent.Removed) read.events().get(1)).medium());
    assertTrue(read.events().get(2) instanceof EngineEvent.Cleared);
    assertEquals(0, read.unknownFields());
  }

  @ParameterizedTest
  @EnumSource
  void keepsWhatStandsAroundAnEventThatIsNotUnderstood(Layout layout)
      throws MalformedBatchException {
    EngineBatch read =
        decoder.decode(
            batch(
                layout,
                1,
                null,
                stored(HASHES, null, TOKENS, 2),
                Map.of("type", "BlockMoved"),
                with(stored(HASHES, null, TOKENS, 2), "token_ids", "none"),
                removed(HASHES, "GPU")));
    assertEquals(2, read.events().size());
    assertEquals(1, read.unknownEvents());
    assertEquals(1, read.malformedEvents());
    assertNull(((EngineEvent.Stored) read.events().get(0)).parent());
  }

  @Test
  void findsTheTypeWhereverItStands() throws MalformedBatchException {
    Map<String, Object> event = new java.util.LinkedHashMap<>();
    event.put("block_hashes", HASHES);
    event.put("type", "BlockRemoved");
    event.put("reason", "evicted");
    EngineBatch read = decoder.decode(batch(Layout.MAPS, 1, null, event));
    assertArrayEquals(HASHES, ((EngineEvent.Removed) read.events().get(0)).hashes());
    assertEquals(1, read.unknownFields());
  }

  @Test
  void namesLongHashesByTheirEnd() throws MalformedBatchException {
    byte[] first = new byte[32];
    first[31] = 7;
    byte[] second = {-1, -1, -1, -1, -1, -1, -1, -2};
    EngineBatch read =
        decoder.decode(batch(Layout.ARRAYS, 1, null, removed(new Object[] {first, second}, "GPU")));
    assertArrayEquals(new long[] {7, -2}, ((EngineEvent.Removed) read.events().get(0)).hashes());
  }

  @Test
  void refusesHashesThatAreTooShort() throws MalformedBatchException {
    EngineBatch read =
        decoder.decode(
            batch(Layout.ARRAYS, 1, null, removed(new Object[] {new byte[] {1}}, "GPU")));
    assertEquals(1, read.malformedEvents());
  }

  @Test
  void listThatClaimsToBeHugeTakesNoMemory() {
    // [1.0, <array of 2^31 - 1 elements>
    byte[] claim = {(byte) 0x92, 1, (byte) 0xdd, 0x7f, -1, -1, -1};
    assertThrows(MalformedBatchException.class, () -> decoder.decode(claim));
  }

  @Test
  void deepNestingIsPassedOver() throws MalformedBatchException {
    Object deep = "x";
    for (int i = 0; i < 500; i++) {
      deep = new Object[] {deep};
    }
    EngineBatch read =
        decoder.decode(batch(Layout.MAPS, 1, null, with(removed(HASHES, "GPU"), "future", deep)));
    assertEquals(1, read.events().size());
    assertEquals(1, read.unknownFields());
  }

  /** A million messages, each with a few bytes changed, cut or put in: none gets out of hand. */
  @Test
  void mutatedFramesNeverThrowAnythingElse() {
    List<byte[]> seeds =
        List.of(
            batch(Layout.ARRAYS, 1, 0, stored(HASHES, 10L, TOKENS, 2), removed(HASHES, "GPU")),
            batch(
                Layout.MAPS,
                1,
                1,
                with(
                    stored(HASHES, null, TOKENS, 2),
                    "extra_keys",
                    new Object[] {new Object[] {"salt"}, null}),
                cleared()));
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    for (int i = 0; i < 1_000_000; i++) {
      byte[] message = mutated(seeds.get(i & 1), random);
      try {
        decoder.decode(message);
      } catch (MalformedBatchException e) {
        refused++;
      }
    }
    assertTrue(refused > 10_000 && refused < 990_000, refused + " refused");
  }

  private static byte[] mutated(byte[] seed, SplittableRandom random) {
    byte[] message =
        java.util.Arrays.copyOf(
            seed, random.nextInt(8) == 0 ? random.nextInt(seed.length + 1) : seed.length);
    for (int changes = 1 + random.nextInt(3); changes > 0 && message.length > 0; changes--) {
      message[random.nextInt(message.length)] = (byte) random.nextInt(256);
    }
    return message;
  }
}
