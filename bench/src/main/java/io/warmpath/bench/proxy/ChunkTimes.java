package io.warmpath.bench.proxy;

import java.util.function.LongConsumer;

/** Finds the times in a stream's body, however it is cut. */
final class ChunkTimes {

  private static final int MAX_LINE_BYTES = 1024;

  private final LongConsumer times;
  private final byte[] line = new byte[MAX_LINE_BYTES];
  private int lineBytes;

  /**
   * @param times takes the time in each chunk, on the upstream's clock, as soon as its line is
   *     complete
   */
  ChunkTimes(LongConsumer times) {
    this.times = times;
  }

  /** Takes a part of the body. */
  void read(byte[] in, int from, int to) {
    for (int at = from; at < to; at++) {
      if (in[at] == '\n') {
        if (isTimed()) {
          times.accept(time());
        }
        lineBytes = 0;
      } else if (lineBytes < MAX_LINE_BYTES) {
        line[lineBytes++] = in[at];
      }
    }
  }

  private boolean isTimed() {
    if (lineBytes != Answers.TIMED_LINE_BYTES) {
      return false;
    }
    for (int i = Answers.TIME_AT; i < Answers.TIME_AT + Answers.TIME_DIGITS; i++) {
      if (line[i] < '0' || line[i] > '9') {
        return false;
      }
    }
    return true;
  }

  private long time() {
    long time = 0;
    for (int i = Answers.TIME_AT; i < Answers.TIME_AT + Answers.TIME_DIGITS; i++) {
      time = 10 * time + line[i] - '0';
    }
    return time;
  }
}
