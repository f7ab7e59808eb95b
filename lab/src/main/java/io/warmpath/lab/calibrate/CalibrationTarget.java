package io.warmpath.lab.calibrate;

import java.util.List;

/** An engine that probes are sent to, real or modelled. Used by one thread. */
public interface CalibrationTarget extends AutoCloseable {

  /** What it is, for the report. */
  String name();

  /**
   * Sends prompts at the same moment and waits for all answers.
   *
   * @param prompts token ids of each
   * @param outputTokens length of each answer
   * @throws IllegalStateException if an answer fails
   */
  List<ProbeTiming> sendTogether(List<int[]> prompts, int outputTokens);

  /** Sends one prompt and waits for its answer. */
  default ProbeTiming send(int[] prompt, int outputTokens) {
    return sendTogether(List.of(prompt), outputTokens).get(0);
  }

  /**
   * Starts answers and returns when each has its first token.
   *
   * @throws IllegalStateException if one fails before
   */
  DecodingStreams startDecoding(List<int[]> prompts, int outputTokens);

  /** Lets time pass. */
  void pause(long micros);

  @Override
  void close();

  /** Answers that are under way. */
  interface DecodingStreams {

    /** Whether none of them has ended. */
    boolean allRunning();

    /** Tokens that they have generated so far, all together. */
    long generatedTokens();

    /** Ends them, or waits for their end. */
    void end();
  }
}
