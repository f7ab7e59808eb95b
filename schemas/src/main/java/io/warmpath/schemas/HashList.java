package io.warmpath.schemas;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;

/**
 * An immutable list of 64-bit prefix hashes. On the wire it is the base64 of the little-endian
 * values, 8 bytes each.
 */
public final class HashList {

  private static final HashList EMPTY = new HashList(new long[0]);

  private final long[] values;

  private HashList(long[] values) {
    this.values = values;
  }

  /** A list of the given hashes, in order. The array is copied. */
  public static HashList of(long... hashes) {
    return hashes.length == 0 ? EMPTY : new HashList(hashes.clone());
  }

  /** The first {@code length} values of an array, copied. */
  public static HashList copyOf(long[] hashes, int length) {
    return length == 0 ? EMPTY : new HashList(Arrays.copyOf(hashes, length));
  }

  /**
   * Reads the wire form.
   *
   * @throws InvalidRecordException if the text is not padded base64 of whole 8-byte values
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static HashList fromBase64(String text) {
    byte[] bytes = Require.base64(Require.present(text, "hash list"), "hash list");
    if (bytes.length % Long.BYTES != 0) {
      throw new InvalidRecordException(
          Reason.BAD_TYPE, "hash list of " + bytes.length + " bytes, not a multiple of 8");
    }
    long[] values = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
    return values.length == 0 ? EMPTY : new HashList(values);
  }

  /** The wire form. */
  @JsonValue
  public String toBase64() {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  public int size() {
    return values.length;
  }

  /** The hash at {@code index}, counted from 0. */
  public long get(int index) {
    return values[index];
  }

  /** A copy of the values. */
  public long[] toArray() {
    return values.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashList list && Arrays.equals(values, list.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "HashList[" + values.length + "]";
  }
}
