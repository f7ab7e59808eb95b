package io.warmpath.bridge.follow;

/** Asks an engine for messages that it still has. */
public interface ReplaySocket {

  /**
   * Asks for all messages from a number on. What is still to come of an earlier answer does not
   * come any more.
   */
  void ask(long fromSeq);

  /** The answer is not waited for any more. */
  void close();
}
