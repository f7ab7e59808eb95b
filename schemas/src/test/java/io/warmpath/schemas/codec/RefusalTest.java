package io.warmpath.schemas.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.fixture.GoldenFiles;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which bytes are refused, and for which of the closed list of reasons. */
class RefusalTest {

  private static final String FINISHED = GoldenFiles.read("request-event.finished.json");
  private static final String ROUTED = GoldenFiles.read("request-event.routed.json");
  private static final String BATCH = GoldenFiles.read("cache-event-batch.json");

  @Test
  void nothingIsEmpty() {
    assertReason(Reason.EMPTY, Codecs.REQUEST_EVENT, (byte[]) null);
    assertReason(Reason.EMPTY, Codecs.REQUEST_EVENT, new byte[0]);
  }

  @Test
  void tenMegabytesAreTooLarge() {
    byte[] huge = new byte[10 << 20];
    Arrays.fill(huge, (byte) '[');
    assertReason(Reason.TOO_LARGE, Codecs.REQUEST_EVENT, huge);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "null",
        "true",
        "5",
        "\"text\"",
        "[]",
        "[{}]",
        "{",
        "}",
        "{\"v\":1",
        "{'v':1}"
      })
  void whatIsNotOneObjectIsNotJson(String text) {
    assertReason(Reason.NOT_JSON, text);
  }

  @Test
  void everyCutIsRefused() {
    for (int length = 1; length < FINISHED.length(); length++) {
      String cut = FINISHED.substring(0, length);
      assertThrows(
          InvalidRecordException.class, () -> decode(cut.getBytes(StandardCharsets.UTF_8)), cut);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "{}", "]", ",", "null", "\u0000"})
  void nothingMayFollowTheObject(String garbage) {
    assertReason(Reason.NOT_JSON, FINISHED + garbage);
  }

  @Test
  void whitespaceMayFollowTheObject() {
    decode((FINISHED + " \r\n\t").getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void deepNestingIsNotFollowed() {
    String arrays = "[".repeat(100_000) + "]".repeat(100_000);
    String objects = "{\"a\":".repeat(50_000) + "1" + "}".repeat(50_000);
    assertReason(Reason.NOT_JSON, with(FINISHED, "an_unknown_field", arrays));
    assertReason(Reason.NOT_JSON, with(FINISHED, "an_unknown_field", objects));
    assertReason(Reason.NOT_JSON, FINISHED.replace("\"v\":1,", "\"x\":" + arrays + ",\"v\":1,"));
    assertReason(Reason.BAD_TYPE, with(FINISHED, "ttft_us", arrays));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "+1", "01", ".5", "1.", "0x1", "1_000"})
  void numbersAreJsonNumbers(String literal) {
    assertReason(Reason.NOT_JSON, with(FINISHED, "ttft_us", literal));
  }

  @Test
  void duplicateNamesAreNotJson() {
    assertReason(Reason.NOT_JSON, FINISHED.replaceFirst("\\{", "{\"ttft_us\":1,"));
    assertReason(Reason.NOT_JSON, FINISHED.replace("\"v\":1", "\"v\":1,\"v\":1"));
    assertReason(Reason.NOT_JSON, with(FINISHED, "other", "{\"a\":1,\"a\":2}"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x80, 0xC0, 0xE0, 0xED, 0xF5, 0xFF})
  void invalidUtf8IsNotJson(int lead) {
    byte[] bytes = FINISHED.getBytes(StandardCharsets.UTF_8);
    int inName = FINISHED.indexOf("team-a");
    bytes[inName] = (byte) lead;
    bytes[inName + 1] = (byte) (lead == 0xED ? 0xA0 : 0x80);
    bytes[inName + 2] = (byte) 0x80;
    assertReason(Reason.NOT_JSON, Codecs.REQUEST_EVENT, bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE"})
  void otherEncodingsAreNotJson(String charset) {
    assertReason(
        Reason.NOT_JSON, Codecs.REQUEST_EVENT, FINISHED.getBytes(Charset.forName(charset)));
  }

  @Test
  void aByteOrderMarkIsNotJson() {
    assertReason(Reason.NOT_JSON, "\uFEFF" + FINISHED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "0", "-1", "\"1\"", "1.0", "null", "{}", "18446744073709551616"})
  void anotherVersionIsUnknown(String version) {
    assertReason(Reason.UNKNOWN_VERSION, FINISHED.replace("\"v\":1", "\"v\":" + version));
  }

  @Test
  void aMissingVersionIsUnknown() {
    assertReason(Reason.UNKNOWN_VERSION, FINISHED.replace("\"v\":1,", ""));
    assertReason(Reason.UNKNOWN_VERSION, "{}");
  }

  @Test
  void anUnknownVersionIsNamedBeforeAnyOtherFault() {
    assertReason(Reason.UNKNOWN_VERSION, "{\"type\":\"finished\",\"status\":\"new\",\"v\":2}");
  }

  @Test
  void theVersionMayStandLast() {
    String last = FINISHED.replace("\"v\":1,", "").replaceFirst("}$", ",\"v\":1}");
    assertEquals(decode(bytes(FINISHED)), decode(bytes(last)));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "type, null, MISSING_FIELD",
        "type, \"resumed\", UNKNOWN_TYPE",
        "type, \"Finished\", UNKNOWN_TYPE",
        "outcome, \"great\", UNKNOWN_TYPE",
        "outcome, \"\", UNKNOWN_TYPE",
        "outcome, 0, BAD_TYPE",
        "outcome, null, MISSING_FIELD",
        "request_id, null, MISSING_FIELD",
        "request_id, 5, BAD_TYPE",
        "request_id, true, BAD_TYPE",
        "request_id, {}, BAD_TYPE",
        "stream, null, MISSING_FIELD",
        "stream, 1, BAD_TYPE",
        "stream, \"true\", BAD_TYPE",
        "status, null, MISSING_FIELD",
        "status, \"200\", BAD_TYPE",
        "status, 200.0, BAD_TYPE",
        "status, 2e2, BAD_TYPE",
        "status, [], BAD_TYPE",
        "status, -1, OUT_OF_RANGE",
        "status, 2147483648, OUT_OF_RANGE",
        "e2e_us, 9223372036854775808, OUT_OF_RANGE",
        "e2e_us, -9223372036854775809, OUT_OF_RANGE",
        "e2e_us, -1, OUT_OF_RANGE",
        "e2e_us, 100000000001, OUT_OF_RANGE",
        "event_time_ms, 100000000000001, OUT_OF_RANGE",
        "cached_tokens, -1, OUT_OF_RANGE",
        "cached_tokens, \"0\", BAD_TYPE",
        "cached_tokens, 9223372036854775808, OUT_OF_RANGE"
      })
  void aFieldAtFaultHasItsReason(String field, String value, Reason reason) {
    assertReason(reason, with(FINISHED, field, value));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "sample_rate, 1.5, OUT_OF_RANGE",
        "sample_rate, -0.1, OUT_OF_RANGE",
        "sample_rate, 1e400, OUT_OF_RANGE",
        "sample_rate, \"0.5\", BAD_TYPE",
        "sample_rate, null, MISSING_FIELD",
        "hashes_b64, \"!!!!\", BAD_TYPE",
        "hashes_b64, \"AAAA\", BAD_TYPE",
        "hashes_b64, 5, BAD_TYPE",
        "hashes_b64, [1], BAD_TYPE",
        "hashes_b64, null, MISSING_FIELD",
        "blocks, -1, OUT_OF_RANGE"
      })
  void aNestedFieldAtFaultHasItsReason(String field, String value, Reason reason) {
    assertReason(reason, with(ROUTED, field, value));
  }

  @Test
  void aMissingTypeIsAMissingField() {
    assertReason(Reason.MISSING_FIELD, FINISHED.replace("\"type\":\"finished\",", ""));
  }

  @Test
  void anUnknownCacheEventIsAnUnknownType() {
    byte[] bytes = bytes(BATCH.replace("\"cleared\"", "\"compressed\""));
    assertReason(Reason.UNKNOWN_TYPE, Codecs.CACHE_EVENT_BATCH, bytes);
  }

  @Test
  void aNullAmongCacheEventsIsAMissingField() {
    byte[] bytes = bytes(BATCH.replace("{\"type\":\"cleared\"}", "null"));
    assertReason(Reason.MISSING_FIELD, Codecs.CACHE_EVENT_BATCH, bytes);
  }

  @Test
  void anAttemptWithoutReplicaIsAMissingField() {
    String failed = GoldenFiles.read("request-event.attempt-failed.json");
    assertReason(Reason.MISSING_FIELD, with(failed, "replica", "null"));
  }

  @Test
  void theMessageNamesTheSchemaAndTheField() {
    InvalidRecordException refusal =
        assertThrows(
            InvalidRecordException.class,
            () -> decode(bytes(with(ROUTED, "block_tokens", "\"x\""))));
    assertTrue(
        refusal.getMessage().startsWith("request-event/1: prefix.block_tokens: "),
        refusal.getMessage());
  }

  @Test
  void theMessageDoesNotQuoteTheWholeRecord() {
    String text = "\"" + "x".repeat(100_000) + "\"";
    InvalidRecordException refusal =
        assertThrows(
            InvalidRecordException.class, () -> decode(bytes(with(FINISHED, "status", text))));
    assertTrue(refusal.getMessage().length() < 500);
  }

  @Test
  void unknownFieldsAreIgnoredAtEveryLevel() {
    String extended =
        ROUTED
            .replaceFirst("\\{", "{\"added\":{\"a\":[1,{\"b\":null}]},")
            .replace("\"block_tokens\"", "\"added\":[],\"block_tokens\"");
    assertEquals(decode(bytes(ROUTED)), decode(bytes(extended)));
  }

  @Test
  void anAbsentNullableFieldReadsAsNull() {
    Finished finished = (Finished) decode(bytes(FINISHED.replaceFirst("\"cached_tokens\":0,", "")));
    assertEquals(null, finished.cachedTokens());
    Routed routed = (Routed) decode(bytes(ROUTED.replaceFirst(",\"prefix\":\\{.*?}", "")));
    assertEquals(null, routed.prefix());
  }

  private static void assertReason(Reason reason, String text) {
    assertReason(reason, Codecs.REQUEST_EVENT, bytes(text));
  }

  private static void assertReason(Reason reason, JsonCodec<?> codec, byte[] bytes) {
    InvalidRecordException refusal =
        assertThrows(InvalidRecordException.class, () -> codec.decode(bytes));
    assertEquals(reason, refusal.reason(), refusal.getMessage());
  }

  private static RequestEvent decode(byte[] bytes) {
    return Codecs.REQUEST_EVENT.decode(bytes);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The record with a field's value replaced, or with the field added. */
  private static String with(String json, String field, String value) {
    String replaced =
        json.replaceFirst("\"" + field + "\":(\"[^\"]*\"|[^,}\\]]*)", "\"" + field + "\":" + value);
    return replaced.equals(json)
        ? json.replaceFirst("}$", ",\"" + field + "\":" + value + "}")
        : replaced;
  }
}
