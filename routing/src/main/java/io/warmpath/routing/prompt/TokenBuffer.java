package io.warmpath.routing.prompt;

import java.util.Arrays;

/** A growing array of token ids. */
public final class TokenBuffer {

  private int[] tokens;
  private int size;

  public TokenBuffer() {
    this(1024);
  }

  public TokenBuffer(int capacity) {
    tokens = new int[Math.max(16, capacity)];
  }

  public void add(int token) {
    if (size == tokens.length) {
      tokens = Arrays.copyOf(tokens, Math.multiplyExact(size, 2));
    }
    tokens[size++] = token;
  }

  public int size() {
    return size;
  }

  /** The token at {@code index}, counted from 0. */
  public int get(int index) {
    return tokens[index];
  }

  /** A copy of the tokens. */
  public int[] toArray() {
    return Arrays.copyOf(tokens, size);
  }

  /** The backing array, of which the first {@link #size()} values count; not a copy. */
  public int[] array() {
    return tokens;
  }

  public void clear() {
    size = 0;
  }
}
