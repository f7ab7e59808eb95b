package io.warmpath.replica.engine;

/**
 * Hears of a sequence's progress, from within {@link BatchEngine#finishStep()}. It may submit and
 * abort sequences. Times are the ends of steps, in microseconds of the engine's timeline.
 */
public interface SequenceListener {

  /** Hears nothing. */
  SequenceListener NONE = new SequenceListener() {};

  /** The first token is there; {@link #onToken} for it follows. */
  default void onFirstToken(long timeUs) {}

  /**
   * A token is there.
   *
   * @param index 0 for the first one
   */
  default void onToken(int index, long timeUs) {}

  /** The last token is there and the sequence's KV blocks are released. */
  default void onFinished(long timeUs) {}
}
