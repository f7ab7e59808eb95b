package io.warmpath.replica.engine;

import java.util.List;

/** Computes the steps of an engine, where they are not modelled. Called by the engine's thread. */
public interface StepExecutor {

  /**
   * Computes what sequences have scheduled, and returns when it is computed.
   *
   * @param batch those with tokens to compute, oldest first
   * @param speed 1 = as fast as it can, 0.5 = half as fast
   * @return how long it took, in microseconds, at least 1
   */
  long run(List<Sequence> batch, double speed);
}
