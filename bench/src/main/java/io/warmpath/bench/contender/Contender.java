package io.warmpath.bench.contender;

import java.util.List;

/** A program that reads the topic and runs now. */
public interface Contender extends AutoCloseable {

  /** Records behind it; rises to the number of records in the topic. Any thread may ask. */
  long processed();

  /** Its checkpoints so far. */
  default CheckpointFigures checkpoints() {
    return CheckpointFigures.NONE;
  }

  /** The windows that it has finished so far, without those of requests that had no replica. */
  default List<WindowFigures> windows() {
    return List.of();
  }

  /**
   * Returns if it works as it should.
   *
   * @throws IllegalStateException if it has failed, or lost records
   */
  void requireSound();

  @Override
  void close();
}
