package io.warmpath.jobs.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.testing.Traffic;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.request.PrefixSample;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are, the fast reader says what the codec says, or asks it. */
class RequestReaderTest {

  private static final long T = 1_796_083_200_000L;

  private final RequestReader reader = new RequestReader();

  @Property(tries = 300)
  void readsEventsAsTheyAreWrittenWithoutTheCodec(@ForAll long seed) {
    for (RequestEvent event : events(seed, 50)) {
      byte[] bytes = Codecs.REQUEST_EVENT.encode(event);
      assertEquals(RequestFigures.of(event), reader.readPlain(bytes));
    }
  }

  @Property(tries = 300)
  void readsFieldsInAnyOrderWithoutTheCodec(@ForAll long seed) {
    Random random = new Random(seed);
    for (RequestEvent event : events(seed, 20)) {
      byte[] shuffled = Damage.shuffled(Codecs.REQUEST_EVENT.encode(event), random);
      assertEquals(RequestFigures.of(event), reader.readPlain(shuffled));
    }
  }

  @Property(tries = 100)
  void comparesEventsWithThoseBefore(@ForAll long seed) {
    List<RequestEvent> events = events(seed, 100);
    learn(events);
    for (RequestEvent event : events) {
      assertEquals(
          RequestFigures.of(event), reader.readLearned(Codecs.REQUEST_EVENT.encode(event)));
    }
  }

  @Property(tries = 100)
  void learnsAnyOrderOfFields(@ForAll long seed) {
    // One that knows no other order yet: each seed has its own.
    RequestReader reader = new RequestReader();
    for (RequestEvent event : events(seed, 100)) {
      // The same seed, so that events of a type have one order.
      byte[] shuffled = Damage.shuffled(Codecs.REQUEST_EVENT.encode(event), new Random(seed));
      reader.read(shuffled);
      assertEquals(RequestFigures.of(event), reader.readLearned(shuffled));
    }
  }

  /**
   * Sound events between damaged ones are still compared, and no damaged one is taken for sound.
   */
  @Property(tries = 1_000)
  void agreesWithTheCodecOnEventsLikeThoseBefore(@ForAll long seed) {
    Random random = new Random(seed);
    List<RequestEvent> events = events(seed, 60);
    learn(events);
    for (RequestEvent event : events) {
      byte[] bytes = Codecs.REQUEST_EVENT.encode(event);
      assertNotNull(reader.readLearned(bytes));
      assertAgrees(bytes);
      assertAgrees(Damage.any(bytes, random));
    }
  }

  @Test
  void anotherLayoutIsLearnedWhenTheOldOneIsGone() {
    byte[] old = Codecs.REQUEST_EVENT.encode(Request.at(T).finished());
    byte[] other = Damage.shuffled(old, new Random(1));
    reader.read(old);
    for (int i = 0; i < RequestReader.PATIENCE; i++) {
      reader.read(other);
      assertNull(reader.readLearned(other));
    }
    assertNotNull(reader.readLearned(old));
    for (int i = 0; i <= RequestReader.PATIENCE; i++) {
      reader.read(other);
    }
    assertNotNull(reader.readLearned(other));
    assertNull(reader.readLearned(old));
  }

  @Test
  void valuesThatNeverChangedMayStillChange() {
    byte[] first = Codecs.REQUEST_EVENT.encode(Request.at(T).cached(7L).finished());
    byte[] second = Codecs.REQUEST_EVENT.encode(Request.at(T).rejected().finished());
    reader.read(first);
    assertNull(reader.readLearned(second));
    assertAgrees(second);
    assertNotNull(reader.readLearned(second));
    assertEquals(7, reader.readLearned(first).cachedTokens());
    assertEquals(RequestFigures.UNKNOWN, reader.readLearned(second).cachedTokens());
    assertTrue(reader.readLearned(first).hasReplica());
  }

  @Property(tries = 2_000)
  void agreesWithTheCodecOnAnyBytes(@ForAll byte[] bytes) {
    assertAgrees(bytes);
  }

  @Property(tries = 3_000)
  void agreesWithTheCodecOnEventsWithBytesGoneWrong(@ForAll long seed) {
    assertAgrees(Damage.bytesGoneWrong(event(seed), new Random(seed)));
  }

  @Property(tries = 2_000)
  void agreesWithTheCodecOnEventsCutOrWithPiecesMoved(@ForAll long seed) {
    assertAgrees(Damage.cutOrWithPiecesMoved(event(seed), new Random(seed)));
  }

  @Property(tries = 3_000)
  void agreesWithTheCodecOnEventsWithValuesGoneWrong(@ForAll long seed) {
    assertAgrees(Damage.valueGoneWrong(event(seed), new Random(seed)));
  }

  @ParameterizedTest
  @ValueSource(ints = {31, 32, 33, 400_000})
  void agreesWithTheCodecOnDeepNesting(int depth) {
    assertAgrees(("[".repeat(depth)).getBytes(StandardCharsets.UTF_8));
    String event = new String(Codecs.REQUEST_EVENT.encode(Request.at(T).finished()));
    assertAgrees(
        (event.substring(0, event.length() - 1)
                + ",\"deep\":"
                + "[".repeat(depth)
                + "]".repeat(depth)
                + "}")
            .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void leavesTenMegabytesToTheCodec() {
    byte[] bytes = new byte[10_000_000];
    assertNull(reader.readPlain(bytes));
    assertAgrees(bytes);
    assertAgrees(null);
    assertAgrees(new byte[0]);
  }

  @Test
  void aKeyThatTakesAnothersPlaceIsItself() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20_000; i++) {
        RequestEvent event = Request.at(T).replica("replica-" + i).finished();
        RequestFigures read = reader.read(Codecs.REQUEST_EVENT.encode(event));
        assertEquals("replica-" + i, read.key().replica());
      }
    }
  }

  private void learn(List<RequestEvent> events) {
    for (RequestEvent event : events) {
      assertEquals(RequestFigures.of(event), reader.read(Codecs.REQUEST_EVENT.encode(event)));
    }
  }

  private void assertAgrees(byte[] bytes) {
    RequestFigures learned = reader.readLearned(bytes);
    RequestFigures plain = reader.readPlain(bytes);
    RequestEvent event;
    try {
      event = Codecs.REQUEST_EVENT.decode(bytes);
    } catch (InvalidRecordException e) {
      assertNull(plain, () -> "read what the codec refuses: " + e.getMessage());
      assertNull(learned, () -> "took for another what the codec refuses: " + e.getMessage());
      return;
    }
    RequestFigures expected = RequestFigures.of(event);
    if (learned != null) {
      assertEquals(expected, learned);
    }
    if (plain != null) {
      assertEquals(expected, plain);
    }
    assertEquals(expected, reader.read(bytes));
    assertNotNull(expected);
  }

  private static byte[] event(long seed) {
    return Codecs.REQUEST_EVENT.encode(events(seed, 1).get(0));
  }

  private static List<RequestEvent> events(long seed, int count) {
    Random random = new Random(seed);
    return new Traffic(seed, T, 1_000 * count)
        .records(2 * count + 20).stream()
            .filter(record -> record.value() instanceof RequestEvent)
            .limit(count)
            .map(Parsed::value)
            .map(RequestEvent.class::cast)
            .map(event -> event instanceof Routed routed ? withPrefix(routed, random) : event)
            .toList();
  }

  private static RequestEvent withPrefix(Routed routed, Random random) {
    double rate = List.of(0.0, 0.0625, 1.0).get(random.nextInt(3));
    PrefixSample prefix =
        random.nextInt(4) == 0
            ? null
            : new PrefixSample(
                16, 10, rate, HashList.of(random.longs(random.nextInt(5)).toArray()));
    return new Routed(routed.context(), routed.facts(), prefix);
  }
}
