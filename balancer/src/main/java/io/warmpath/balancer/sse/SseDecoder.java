package io.warmpath.balancer.sse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the events in a byte stream as the HTML standard defines them: lines end with LF, CR or
 * CRLF, wherever the stream is cut; a blank line ends an event; comments and unknown fields are
 * skipped; one leading byte-order mark is ignored. An event without data is reported too, with
 * empty data, as OpenAI's own client does.
 *
 * <p>It is pulled: {@link #next} runs to the end of the next block and says where that lies in the
 * input, so that a caller can forward whole blocks. Nothing is allocated for an event that lies in
 * one piece of input.
 */
public final class SseDecoder {

  private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENT = "event".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = new byte[0];

  private final int maxEventBytes;

  /** Start of a line that the last piece of input cut off. */
  private final ByteStore line = new ByteStore();

  private final ByteStore stored = new ByteStore();

  private boolean streamStart = true;
  private boolean skipLineFeed;
  private boolean blockOver = true;

  private String name;
  private int dataLines;
  private boolean oversized;
  private int comments;

  /** Data of a single line that lies in the caller's array, or null once it is in the store. */
  private byte[] borrowed;

  private int borrowedFrom;
  private int borrowedTo;

  /**
   * @param maxEventBytes data beyond this many bytes an event is not kept; the event is then {@link
   *     #oversized()}
   */
  public SseDecoder(int maxEventBytes) {
    this.maxEventBytes = maxEventBytes;
  }

  /**
   * Reads {@code in[from, to)} up to the end of the next block. A block ends with a blank line; it
   * is an event only if {@link #hasEvent()}. The event may be read until the next call.
   *
   * @return index of the first byte after the block, or -1 if all input was read and no block ended
   */
  public int next(byte[] in, int from, int to) {
    if (blockOver) {
      beginBlock();
    }
    int at = from;
    if (skipLineFeed && at < to) {
      skipLineFeed = false;
      if (in[at] == '\n') {
        at++;
      }
    }
    int lineStart = at;
    while ((at = ByteScan.either(in, at, to, '\n', '\r')) < to) {
      byte b = in[at];
      boolean blank = endLine(in, lineStart, at);
      at++;
      if (b == '\r') {
        if (at == to) {
          skipLineFeed = true;
        } else if (in[at] == '\n') {
          at++;
        }
      }
      if (blank) {
        blockOver = true;
        return at;
      }
      lineStart = at;
    }
    append(line, in, lineStart, to);
    keepBorrowed();
    return -1;
  }

  /** Whether the block that ended is an event: it had a data or an event field. */
  public boolean hasEvent() {
    return dataLines > 0 || name != null;
  }

  /** Value of the event's {@code event} field, or null. */
  public String name() {
    return name;
  }

  /** Array that holds the event's data, from {@link #dataFrom()} to {@link #dataTo()}. */
  public byte[] data() {
    return borrowed != null ? borrowed : stored.bytes();
  }

  public int dataFrom() {
    return borrowed != null ? borrowedFrom : 0;
  }

  public int dataTo() {
    return borrowed != null ? borrowedTo : stored.size();
  }

  /** Whether the event was larger than allowed; its data is then incomplete. */
  public boolean oversized() {
    return oversized;
  }

  /** Comment lines so far. */
  public int comments() {
    return comments;
  }

  private void beginBlock() {
    blockOver = false;
    name = null;
    dataLines = 0;
    oversized = false;
    borrowed = null;
    stored.clear();
  }

  /** Ends the line whose last part is {@code in[from, to)}; true if it is blank. */
  private boolean endLine(byte[] in, int from, int to) {
    if (line.size() == 0) {
      return readLine(in, from, to, true);
    }
    append(line, in, from, to);
    boolean blank = readLine(line.bytes(), 0, line.size(), false);
    line.clear();
    return blank;
  }

  private boolean readLine(byte[] in, int lineFrom, int to, boolean mayBorrow) {
    int from = lineFrom;
    if (streamStart) {
      streamStart = false;
      if (to - from >= 3
          && in[from] == (byte) 0xEF
          && in[from + 1] == (byte) 0xBB
          && in[from + 2] == (byte) 0xBF) {
        from += 3;
      }
    }
    if (from == to) {
      return true;
    }
    int colon = from;
    while (colon < to && in[colon] != ':') {
      colon++;
    }
    if (colon == from) {
      comments++;
      return false;
    }
    int value = Math.min(to, colon + 1);
    if (value < to && in[value] == ' ') {
      value++;
    }
    if (Arrays.equals(in, from, colon, DATA, 0, DATA.length)) {
      addData(in, value, to, mayBorrow);
    } else if (Arrays.equals(in, from, colon, EVENT, 0, EVENT.length)) {
      name = new String(in, value, to - value, StandardCharsets.UTF_8);
    }
    return false;
  }

  private void addData(byte[] in, int from, int to, boolean mayBorrow) {
    dataLines++;
    if (dataLines == 1 && mayBorrow && to - from <= maxEventBytes) {
      borrowed = in;
      borrowedFrom = from;
      borrowedTo = to;
      return;
    }
    keepBorrowed();
    if (dataLines > 1) {
      append(stored, new byte[] {'\n'}, 0, 1);
    }
    append(stored, in, from, to);
  }

  /** The caller's array is only good until the call returns without an event. */
  private void keepBorrowed() {
    if (borrowed != null) {
      append(stored, borrowed, borrowedFrom, borrowedTo);
      borrowed = null;
    }
  }

  private void append(ByteStore store, byte[] in, int from, int to) {
    int room = maxEventBytes - store.size();
    if (to - from > room) {
      oversized = true;
    }
    store.append(in, from, Math.min(to - from, room));
  }

  /** A growing byte array that gives back what a rare large event took. */
  private static final class ByteStore {

    private static final int KEPT_BYTES = 16 * 1024;

    private byte[] bytes = NOTHING;
    private int size;

    byte[] bytes() {
      return bytes;
    }

    int size() {
      return size;
    }

    void append(byte[] in, int from, int length) {
      if (length <= 0) {
        return;
      }
      if (bytes.length < size + length) {
        bytes = Arrays.copyOf(bytes, Math.max(512, Math.max(size + length, 2 * bytes.length)));
      }
      System.arraycopy(in, from, bytes, size, length);
      size += length;
    }

    void clear() {
      size = 0;
      if (bytes.length > KEPT_BYTES) {
        bytes = NOTHING;
      }
    }
  }
}
