package io.warmpath.jobs.request;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * ASCII text that is looked for at a place in a record, eight bytes at a time: most of a record is
 * the names of its fields.
 */
final class Literal {

  private final byte[] bytes;
  private final int length;
  private final long first;
  private final long firstMask;
  private final long second;
  private final long beforeLast;
  private final long last;
  private final int lastAt;

  private Literal(byte[] bytes) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.first = AsciiWord.at(Arrays.copyOf(bytes, Math.max(length, Long.BYTES)), 0);
    this.firstMask = length < Long.BYTES ? (1L << length * Byte.SIZE) - 1 : -1;
    this.lastAt = Math.max(0, length - Long.BYTES);
    this.last = length < Long.BYTES ? 0 : AsciiWord.at(bytes, lastAt);
    this.second = length <= 2 * Long.BYTES ? 0 : AsciiWord.at(bytes, Long.BYTES);
    this.beforeLast = length <= 3 * Long.BYTES ? 0 : AsciiWord.at(bytes, lastAt - Long.BYTES);
  }

  static Literal of(String ascii) {
    return new Literal(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  int length() {
    return length;
  }

  /** Whether it stands in {@code record} at {@code at}. */
  boolean isAt(byte[] record, int at) {
    if (at + Long.BYTES > record.length || at + length > record.length) {
      return isAtBytewise(record, at);
    }
    if (((AsciiWord.at(record, at) ^ first) & firstMask) != 0) {
      return false;
    }
    if (length <= Long.BYTES) {
      return true;
    }
    // Words overlap where they are not whole ones; only what is longer than four has a gap.
    return AsciiWord.at(record, at + lastAt) == last
        && (length <= 2 * Long.BYTES || AsciiWord.at(record, at + Long.BYTES) == second)
        && (length <= 3 * Long.BYTES
            || AsciiWord.at(record, at + lastAt - Long.BYTES) == beforeLast)
        && (length <= 4 * Long.BYTES || isAtBytewise(record, at));
  }

  /** Likewise, byte by byte, as where a whole word would reach beyond the record. */
  private boolean isAtBytewise(byte[] record, int at) {
    int end = at + length;
    return end <= record.length && Arrays.equals(record, at, end, bytes, 0, length);
  }
}
