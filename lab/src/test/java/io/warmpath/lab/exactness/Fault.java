package io.warmpath.lab.exactness;

import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** What can be wrong with a request event's bytes, and the reason that its dead letter gives. */
enum Fault {
  TOMBSTONE(Reason.EMPTY, bytes -> null),
  NO_BYTES(Reason.EMPTY, bytes -> new byte[0]),
  TRUNCATED(Reason.NOT_JSON, bytes -> Arrays.copyOf(bytes, bytes.length / 2)),
  NESTED_DEEPLY(Reason.NOT_JSON, bytes -> utf8("{\"v\":1,\"x\":" + "[".repeat(10_000))),
  NOT_UTF8(Reason.NOT_JSON, Fault::withAByteGoneWrong),
  NOT_A_NUMBER(Reason.NOT_JSON, replacing("\"prompt_tokens\":[0-9]+", "\"prompt_tokens\":NaN")),
  NEGATIVE(Reason.OUT_OF_RANGE, replacing("\"prompt_tokens\":", "\"prompt_tokens\":-")),
  OF_ANOTHER_VERSION(Reason.UNKNOWN_VERSION, replacing("\"v\":1", "\"v\":2")),
  OF_AN_UNKNOWN_TYPE(Reason.UNKNOWN_TYPE, replacing("\"type\":\"[a-z_]+\"", "\"type\":\"born\"")),
  WITHOUT_A_MODEL(Reason.MISSING_FIELD, replacing("\"model\":", "\"unknown\":")),
  TEXT_FOR_A_NUMBER(Reason.BAD_TYPE, replacing("\"attempt\":0", "\"attempt\":\"0\""));

  private final Reason reason;
  private final UnaryOperator<byte[]> change;

  Fault(Reason reason, UnaryOperator<byte[]> change) {
    this.reason = reason;
    this.change = change;
  }

  /** What an event becomes by it; null for a tombstone. */
  byte[] in(byte[] event) {
    return change.apply(event);
  }

  Reason reason() {
    return reason;
  }

  private static UnaryOperator<byte[]> replacing(String pattern, String replacement) {
    return bytes ->
        utf8(new String(bytes, StandardCharsets.UTF_8).replaceFirst(pattern, replacement));
  }

  private static byte[] withAByteGoneWrong(byte[] event) {
    byte[] changed = event.clone();
    changed[new String(event, StandardCharsets.US_ASCII).indexOf("balancer")] = (byte) 0xC0;
    return changed;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
