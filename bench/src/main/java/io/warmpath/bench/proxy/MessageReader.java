package io.warmpath.bench.proxy;

import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the HTTP/1.1 messages of one connection, one after the other, from bytes as they come. It
 * knows what servers and proxies in good order send, and fails at anything else.
 */
final class MessageReader {

  /** Hears of the messages. */
  interface Listener {
    /** A part of a body, without its framing. */
    void body(byte[] bytes, int from, int to);

    /** A message is complete; what was read of its head holds until this returns. */
    void complete() throws IOException;
  }

  private enum State {
    HEAD,
    BODY,
    CHUNK_SIZE,
    CHUNK_BODY,
    CHUNK_END,
    TRAILERS
  }

  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final String LENGTH = "content-length:";
  private static final String CODING = "transfer-encoding:";
  private static final int STATUS_AT = "HTTP/1.1 ".length();

  private final Listener listener;
  private byte[] head = new byte[1024];
  private int headBytes;
  private State state = State.HEAD;
  private long rest;
  private int lineBytes;

  MessageReader(Listener listener) {
    this.listener = listener;
  }

  /**
   * Takes bytes.
   *
   * @throws IOException if they are not HTTP as it is known here
   */
  void read(byte[] in, int from, int to) throws IOException {
    int at = from;
    while (at < to) {
      at =
          switch (state) {
            case HEAD -> head(in, at, to);
            case BODY, CHUNK_BODY -> body(in, at, to);
            default -> line(in[at], at);
          };
    }
  }

  /** Whether it is between two messages. */
  boolean between() {
    return state == State.HEAD && headBytes == 0;
  }

  /** A response's status. */
  int status() {
    int status = 0;
    for (int i = STATUS_AT; i < STATUS_AT + 3; i++) {
      status = 10 * status + head[i] - '0';
    }
    return status;
  }

  /** Whether a request's method begins with that letter. */
  boolean methodBegins(char letter) {
    return head[0] == letter;
  }

  private int head(byte[] in, int from, int to) throws IOException {
    for (int at = from; at < to; at++) {
      if (headBytes == head.length) {
        if (headBytes == MAX_HEAD_BYTES) {
          throw new IOException("a head of more than " + MAX_HEAD_BYTES + " bytes");
        }
        head = Arrays.copyOf(head, 2 * headBytes);
      }
      head[headBytes++] = in[at];
      if (in[at] == '\n' && headBytes >= 4 && head[headBytes - 3] == '\n') {
        headComplete();
        return at + 1;
      }
    }
    return to;
  }

  private void headComplete() throws IOException {
    rest = 0;
    boolean chunked = false;
    int from = 0;
    for (int at = 0; at < headBytes; at++) {
      if (head[at] == '\n') {
        if (begins(from, LENGTH)) {
          rest = number(from + LENGTH.length(), at);
        } else if (begins(from, CODING)) {
          chunked = true;
        }
        from = at + 1;
      }
    }
    state = chunked ? State.CHUNK_SIZE : State.BODY;
    if (state == State.BODY && rest == 0) {
      complete();
    }
  }

  private boolean begins(int from, String name) {
    for (int i = 0; i < name.length(); i++) {
      byte b = head[from + i];
      byte lower = b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
      if (lower != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private long number(int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      if (head[i] >= '0' && head[i] <= '9') {
        number = 10 * number + head[i] - '0';
      }
    }
    return number;
  }

  private int body(byte[] in, int from, int to) throws IOException {
    int end = (int) Math.min(to, from + rest);
    listener.body(in, from, end);
    rest -= end - from;
    if (rest == 0) {
      if (state == State.BODY) {
        complete();
      } else {
        state = State.CHUNK_END;
      }
    }
    return end;
  }

  /** Reads a byte of the lines between chunks. */
  private int line(byte b, int at) throws IOException {
    if (b == '\n') {
      lineComplete();
      lineBytes = 0;
    } else if (b != '\r') {
      lineBytes++;
      if (state == State.CHUNK_SIZE) {
        int digit = Character.digit(b, 16);
        if (digit < 0) {
          throw new IOException("no size of a chunk");
        }
        rest = 16 * rest + digit;
      }
    }
    return at + 1;
  }

  private void lineComplete() throws IOException {
    if (state == State.CHUNK_SIZE) {
      state = rest == 0 ? State.TRAILERS : State.CHUNK_BODY;
    } else if (state == State.CHUNK_END) {
      state = State.CHUNK_SIZE;
    } else if (lineBytes == 0) {
      complete();
    }
  }

  private void complete() throws IOException {
    state = State.HEAD;
    listener.complete();
    headBytes = 0;
  }
}
