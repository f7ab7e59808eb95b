package io.warmpath.jobs.request;

/**
 * A place in a record's bytes that moves over plain JSON: no white space, no escapes, ASCII only.
 * Each step says whether it found what it looked for, and stays where it was if not.
 */
final class ByteCursor {

  /** In place of a number that is none, or above its limit. */
  static final long NO_NUMBER = -1;

  private static final int MAX_DIGITS = 18;
  private static final Literal NULL = Literal.of("null");

  private byte[] bytes;
  private int at;

  /** Begins with other bytes. */
  void begin(byte[] record) {
    bytes = record;
    at = 0;
  }

  int at() {
    return at;
  }

  boolean isAtEnd() {
    return at == bytes.length;
  }

  /** Moves over one byte. */
  boolean skip(char wanted) {
    if (at < bytes.length && bytes[at] == wanted) {
      at++;
      return true;
    }
    return false;
  }

  /** Moves over several. */
  boolean skip(Literal wanted) {
    if (wanted.isAt(bytes, at)) {
      at += wanted.length();
      return true;
    }
    return false;
  }

  /** Moves over {@code null}. */
  boolean skipNull() {
    return at < bytes.length && bytes[at] == 'n' && skip(NULL);
  }

  /** Moves to the next quote, over text that is itself. */
  boolean skipText() {
    for (int i = at; i < bytes.length; i++) {
      byte b = bytes[i];
      if (b == '"') {
        at = i;
        return true;
      }
      // Bytes beyond ASCII are negative.
      if (b < ' ' || b == '\\') {
        return false;
      }
    }
    return false;
  }

  /** Moves over a whole number of at least 0, or returns {@link #NO_NUMBER}. */
  long number(long limit) {
    int from = at;
    int end = Math.min(bytes.length, from + MAX_DIGITS);
    long value = 0;
    int i = from;
    if (i + Long.BYTES <= bytes.length) {
      long word = EightDigits.at(bytes, i);
      int digits = EightDigits.leading(word);
      value = EightDigits.value(word, digits);
      i += digits;
      if (digits < EightDigits.COUNT) {
        end = i;
      }
    }
    while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
      value = value * 10 + bytes[i] - '0';
      i++;
    }
    boolean padded = i > from + 1 && bytes[from] == '0';
    if (i == from || padded || value > limit) {
      return NO_NUMBER;
    }
    at = i;
    return value;
  }

  /** Moves over a number from 0 to 1 as it is written, with decimals. */
  boolean skipShare() {
    int i = at;
    if (i + 3 > bytes.length || bytes[i] != '0' && bytes[i] != '1' || bytes[i + 1] != '.') {
      return false;
    }
    char highest = bytes[i] == '0' ? '9' : '0';
    int decimals = i + 2;
    i = decimals;
    while (i < bytes.length && bytes[i] >= '0' && bytes[i] <= highest) {
      i++;
    }
    if (i == decimals || i > decimals + MAX_DIGITS) {
      return false;
    }
    at = i;
    return true;
  }

  /** Moves to the next quote, over the base64 of whole 64-bit values. */
  boolean skipBase64OfLongs() {
    int i = at;
    while (i < bytes.length && isBase64(bytes[i])) {
      i++;
    }
    int padding = 0;
    while (i < bytes.length && bytes[i] == '=' && padding < 2) {
      i++;
      padding++;
    }
    int length = i - at;
    boolean whole = length % 4 == 0 && (length / 4 * 3 - padding) % Long.BYTES == 0;
    if (!whole || i >= bytes.length || bytes[i] != '"') {
      return false;
    }
    at = i;
    return true;
  }

  private static boolean isBase64(byte b) {
    return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '/' && b <= '9' || b == '+';
  }
}
