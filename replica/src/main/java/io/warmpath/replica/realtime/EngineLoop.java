package io.warmpath.replica.realtime;

import io.warmpath.replica.engine.BatchEngine;

/**
 * Drives an engine along a timeline without a clock of its own. A modelled step starts when the one
 * before was due to end, however late the caller comes, so that delays do not add up. One that is
 * computed starts when the caller comes: what passed before it is real.
 */
final class EngineLoop {

  /**
   * How far the engine may fall behind before it gives the time up, in microseconds. A machine that
   * was suspended must not answer hours of tokens at once.
   */
  static final long MAX_LAG_US = 2_000_000;

  private final BatchEngine engine;

  /** How late a step may be and still start when it was due. */
  private final long maxLagUs;

  private final Runnable afterStep;
  private long lastEndUs;

  /**
   * @param afterStep runs after each step, when all listeners have heard of it
   */
  EngineLoop(BatchEngine engine, Runnable afterStep) {
    this.engine = engine;
    maxLagUs = engine.modelled() ? MAX_LAG_US : 0;
    this.afterStep = afterStep;
  }

  /**
   * Ends and starts all steps that are due.
   *
   * @return when the next one is due, or {@link BatchEngine#NEVER}
   */
  long advance(long nowUs) {
    while (true) {
      if (engine.stepping()) {
        if (engine.stepEndUs() > nowUs) {
          return engine.stepEndUs();
        }
        lastEndUs = engine.stepEndUs();
        engine.finishStep();
        afterStep.run();
      }
      long startUs = engine.nextStepUs(lastEndUs);
      if (startUs > nowUs) {
        return startUs;
      }
      engine.startStep(nowUs - startUs > maxLagUs ? nowUs : startUs);
    }
  }
}
