package io.warmpath.schemas.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A JSON text as it grows, for values whose texts need no escaping. */
final class AsciiJson {

  private static final int FIRST_BYTES = 1024;
  private static final int LONGEST_NUMBER = 20;
  private static final byte[] NULL = ascii("null");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;
  private boolean plain = true;

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Whether all texts so far were such that they need no escaping; what was written is else void.
   */
  boolean plain() {
    return plain;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Adds JSON as it is. */
  AsciiJson raw(byte[] json) {
    reserve(json.length);
    System.arraycopy(json, 0, bytes, size, json.length);
    size += json.length;
    return this;
  }

  /** Adds a text or null. */
  AsciiJson text(String text) {
    if (text == null) {
      return raw(NULL);
    }
    int length = text.length();
    reserve(length + 2);
    bytes[size++] = '"';
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      plain &= c >= ' ' && c < 0x7f && c != '"' && c != '\\';
      bytes[size++] = (byte) c;
    }
    bytes[size++] = '"';
    return this;
  }

  AsciiJson flag(boolean value) {
    return raw(value ? TRUE : FALSE);
  }

  /** Adds a number or null. */
  AsciiJson number(Long value) {
    return value == null ? raw(NULL) : number(value.longValue());
  }

  AsciiJson number(long value) {
    if (value < 0) {
      return raw(ascii(Long.toString(value)));
    }
    reserve(LONGEST_NUMBER);
    int end = size + digits(value);
    size = end;
    long rest = value;
    do {
      bytes[--end] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    return this;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
