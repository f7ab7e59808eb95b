package io.warmpath.jobs.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.warmpath.jobs.source.Inbound.Malformed;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.Request;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordReaderTest {

  private static final long T = 1_796_083_200_000L;

  private final Arrivals<RequestEvent> arrivals =
      new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);

  @Test
  void saysWhereTheRecordLayAndWhenItHappened() {
    RequestEvent event = Request.at(T).finished();
    arrivals.onTime(4, event);
    Parsed<RequestEvent> parsed = arrivals.written(4, T + 50, event);

    assertEquals(new Parsed<>(Topics.REQUESTS, 4, 1, T, false, event), parsed);
  }

  @Test
  void anEventMoreThanAMinuteAheadTakesTheRecordsTime() {
    assertEquals(T + 60_000, arrivals.written(0, T, at(T + 60_000)).eventTimeMs());
    Parsed<RequestEvent> ahead = arrivals.written(0, T, at(T + 60_001));
    assertEquals(T, ahead.eventTimeMs());
    assertEquals(true, ahead.skewed());
  }

  @Test
  void aRecordWithoutATimestampCannotPushTimeAhead() {
    assertEquals(0, arrivals.written(0, -1, at(T)).eventTimeMs());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|empty",
        "{|not_json",
        "null|not_json",
        "[1]|not_json",
        "{\"v\":2}|unknown_version",
        "{\"v\":1}|missing_field",
        "{\"v\":1,\"type\":\"born\"}|unknown_type",
      })
  void refusesWithAReason(String bytes, String reason) {
    Malformed<?> malformed =
        assertInstanceOf(
            Malformed.class, arrivals.bytes(3, T, bytes.getBytes(StandardCharsets.UTF_8)));

    DeadLetter letter = malformed.refusal().letter();
    assertEquals(reason, letter.reason().wireName());
    assertEquals(Topics.REQUESTS, letter.topic());
    assertEquals(3, letter.partition());
    assertEquals(0, letter.offset());
    assertNotNull(letter.error());
    assertArrayEquals(
        bytes.getBytes(StandardCharsets.UTF_8), Base64.getDecoder().decode(letter.payload()));
    assertEquals("key", new String(malformed.refusal().key(), StandardCharsets.UTF_8));
  }

  @Test
  void refusesATombstone() {
    Malformed<?> malformed = assertInstanceOf(Malformed.class, arrivals.bytes(0, T, null));
    assertEquals("empty", malformed.refusal().letter().reason().wireName());
    assertNull(malformed.refusal().letter().payload());
  }

  @Test
  void keepsOnlyTheBeginningOfALargePayload() {
    Malformed<?> malformed =
        assertInstanceOf(Malformed.class, arrivals.bytes(0, T, new byte[10_000_000]));
    DeadLetter letter = malformed.refusal().letter();
    assertEquals("too_large", letter.reason().wireName());
    assertEquals(DeadLetter.MAX_PAYLOAD_BYTES, Base64.getDecoder().decode(letter.payload()).length);
  }

  @Property(tries = 500)
  void neverThrowsWhateverTheBytesAre(@ForAll byte[] bytes) {
    assertNotNull(arrivals.bytes(0, T, bytes));
  }

  @Property(tries = 500)
  void neverThrowsForAnEventWithBytesGoneWrong(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = Codecs.REQUEST_EVENT.encode(Request.at(T).finished());
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    assertNotNull(arrivals.bytes(0, T, bytes));
  }

  private static RequestEvent at(long timeMs) {
    return Request.at(timeMs).finished();
  }
}
