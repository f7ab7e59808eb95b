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
  private static final long[] POWERS_OF_TEN = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000
  };

  private byte[] bytes;
  private int at;

  /** Begins at a place in other bytes. */
  void begin(byte[] record, int from) {
    bytes = record;
    at = from;
  }

  /** Ten to the power of at most seven. */
  static long powerOfTen(int exponent) {
    return POWERS_OF_TEN[exponent];
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
    int i = at;
    while (i + Long.BYTES <= bytes.length) {
      long ends = AsciiWord.endsOfText(AsciiWord.at(bytes, i));
      if (ends != 0) {
        i += AsciiWord.firstOf(ends);
        at = bytes[i] == '"' ? i : at;
        return bytes[i] == '"';
      }
      i += Long.BYTES;
    }
    return skipTextBytewise(i);
  }

  /** Likewise, near the record's end. */
  private boolean skipTextBytewise(int from) {
    for (int i = from; i < bytes.length; i++) {
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
    if (from + 2 * Long.BYTES > bytes.length) {
      return numberBytewise(limit);
    }
    long word = AsciiWord.at(bytes, from);
    int digits = AsciiWord.digits(word);
    long value = AsciiWord.value(word, digits);
    if (digits == Long.BYTES) {
      word = AsciiWord.at(bytes, from + Long.BYTES);
      int more = AsciiWord.digits(word);
      if (more == Long.BYTES) {
        return numberBytewise(limit);
      }
      value = value * POWERS_OF_TEN[more] + AsciiWord.value(word, more);
      digits += more;
    }
    return take(value, digits, limit);
  }

  /** Likewise, near the record's end and of many digits. */
  private long numberBytewise(long limit) {
    int end = Math.min(bytes.length, at + MAX_DIGITS);
    long value = 0;
    int i = at;
    while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
      value = value * 10 + bytes[i] - '0';
      i++;
    }
    return take(value, i - at, limit);
  }

  private long take(long value, int digits, long limit) {
    boolean padded = digits > 1 && bytes[at] == '0';
    if (digits == 0 || padded || value > limit) {
      return NO_NUMBER;
    }
    at += digits;
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
