package io.warmpath.schemas;

import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.util.Arrays;
import java.util.Base64;

/**
 * A record that no reader could use, kept with where it lay and why it was refused.
 *
 * @param topic topic it was read from
 * @param partition partition it was read from
 * @param offset offset it was read at
 * @param reason why, from a closed list
 * @param error one line for people
 * @param payload base64 of its value, cut at {@link #MAX_PAYLOAD_BYTES}; null for a tombstone
 */
public record DeadLetter(
    String topic, int partition, long offset, Reason reason, String error, String payload)
    implements WarmpathRecord {

  /** At most this many bytes of the refused value are kept. */
  public static final int MAX_PAYLOAD_BYTES = 64 * 1024;

  private static final int MAX_ERROR_CHARS = 500;

  public DeadLetter {
    Require.present(topic, "topic");
    Require.notNegative(partition, "partition");
    Require.notNegative(offset, "offset");
    Require.present(reason, "reason");
    Require.base64(payload, "payload");
    if (error != null && error.length() > MAX_ERROR_CHARS) {
      error = error.substring(0, MAX_ERROR_CHARS);
    }
  }

  /** The dead letter of a record's value. */
  public static DeadLetter of(
      String topic, int partition, long offset, Reason reason, String error, byte[] value) {
    return new DeadLetter(topic, partition, offset, reason, error, payloadOf(value));
  }

  private static String payloadOf(byte[] value) {
    if (value == null) {
      return null;
    }
    return Base64.getEncoder()
        .encodeToString(
            value.length <= MAX_PAYLOAD_BYTES ? value : Arrays.copyOf(value, MAX_PAYLOAD_BYTES));
  }
}
