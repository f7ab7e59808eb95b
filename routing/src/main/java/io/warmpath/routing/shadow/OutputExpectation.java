package io.warmpath.routing.shadow;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * How long answers are, from those that ended: a mean that forgets. When a request is routed nobody
 * knows its answer's length, so that a balancer works with an expectation too.
 */
final class OutputExpectation {

  /** Answers that the mean reaches back over. */
  private static final long MEMORY = 64;

  private long answers;
  private double tokens;
  private double decodeMicros;

  void learn(long outputTokens, long micros) {
    answers = Math.min(MEMORY, answers + 1);
    tokens += (outputTokens - tokens) / answers;
    decodeMicros += (micros - decodeMicros) / answers;
  }

  /** Expected tokens of an answer; 0 before the first has ended. */
  long tokens() {
    return Math.round(tokens);
  }

  /** Expected time from first token to end, µs; likewise. */
  long decodeMicros() {
    return Math.round(decodeMicros);
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeLong(answers);
    out.writeDouble(tokens);
    out.writeDouble(decodeMicros);
  }

  void readFrom(DataInput in) throws IOException {
    answers = in.readLong();
    tokens = in.readDouble();
    decodeMicros = in.readDouble();
  }
}
