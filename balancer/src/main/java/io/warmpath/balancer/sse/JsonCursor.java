package io.warmpath.balancer.sse;

import java.util.Arrays;

/**
 * Walks JSON bytes forward without building anything. It trusts the bytes to be JSON: what is not
 * makes it stop early ({@link #failed()}), never throw. Reusable, allocates nothing.
 */
final class JsonCursor {

  /** No count of tokens is longer, and events refuse larger ones. */
  private static final int MAX_DIGITS = 11;

  private byte[] in = new byte[0];
  private int at;
  private int end;
  private int keyFrom;
  private int keyTo;
  private boolean failed;

  /** Starts on {@code bytes[from, to)}. */
  void reset(byte[] bytes, int from, int to) {
    in = bytes;
    at = from;
    end = to;
    failed = false;
  }

  /** Whether the bytes turned out not to be JSON. */
  boolean failed() {
    return failed;
  }

  /** First byte of the next value, or 0 at the end. */
  byte peek() {
    skipSpace();
    return at < end ? in[at] : 0;
  }

  /** Enters an object or, if the value is none, skips it and answers false. */
  boolean enterObject() {
    return enter((byte) '{');
  }

  /** Enters an array or, if the value is none, skips it and answers false. */
  boolean enterArray() {
    return enter((byte) '[');
  }

  /** Moves to the value of the object's next field; false at the object's end. */
  boolean nextField() {
    if (!nextItem((byte) '}')) {
      return false;
    }
    if (in[at] != '"') {
      return fail();
    }
    keyFrom = at + 1;
    skipString();
    keyTo = at - 1;
    if (peek() != ':') {
      return fail();
    }
    at++;
    return peek() != 0 || fail();
  }

  /** Moves to the array's next element; false at the array's end. */
  boolean nextElement() {
    return nextItem((byte) ']');
  }

  /** Whether the current field has this name, written without escapes. */
  boolean keyIs(byte[] name) {
    return Arrays.equals(in, keyFrom, keyTo, name, 0, name.length);
  }

  /** Skips one value; true if it is a string that is not empty. */
  boolean skipText() {
    boolean text = peek() == '"' && at + 1 < end && in[at + 1] != '"';
    skip();
    return text;
  }

  /** Skips one value; true if it is an array with elements or an object with fields. */
  boolean skipFilled() {
    byte first = peek();
    if (first != '[' && first != '{') {
      skip();
      return false;
    }
    int open = at++;
    byte second = peek();
    boolean filled = second != ']' && second != '}';
    at = open;
    skip();
    return filled;
  }

  /** Reads a whole number of at most 11 digits; -1 for anything else, which is skipped. */
  long readCount() {
    skipSpace();
    int from = at;
    skip();
    if (at == from || at - from > MAX_DIGITS) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < at; i++) {
      int digit = in[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** Skips one value of any kind. */
  void skip() {
    switch (peek()) {
      case '"' -> skipString();
      case '{', '[' -> skipNested();
      case 0, ',', ':', '}', ']' -> fail();
      default -> skipWord();
    }
  }

  private boolean enter(byte open) {
    if (peek() == open) {
      at++;
      return true;
    }
    skip();
    return false;
  }

  private boolean nextItem(byte close) {
    byte b = peek();
    if (b == ',') {
      at++;
      b = peek();
    }
    if (b == close) {
      at++;
      return false;
    }
    return b != 0 || fail();
  }

  private void skipNested() {
    int depth = 0;
    while (at < end) {
      byte b = in[at];
      if (b == '"') {
        skipString();
        continue;
      }
      at++;
      if (b == '{' || b == '[') {
        depth++;
      } else if (b == '}' || b == ']') {
        depth--;
        if (depth == 0) {
          return;
        }
      }
    }
    fail();
  }

  private void skipString() {
    at++;
    while ((at = ByteScan.either(in, at, end, '"', '\\')) < end) {
      if (in[at++] == '"') {
        return;
      }
      at++;
    }
    fail();
  }

  private void skipWord() {
    while (at < end) {
      byte b = in[at];
      if (b == ',' || b == '}' || b == ']' || b == ' ' || b == '\n' || b == '\r' || b == '\t') {
        return;
      }
      at++;
    }
  }

  private void skipSpace() {
    while (at < end && (in[at] == ' ' || in[at] == '\n' || in[at] == '\r' || in[at] == '\t')) {
      at++;
    }
  }

  private boolean fail() {
    failed = true;
    at = end;
    return false;
  }
}
