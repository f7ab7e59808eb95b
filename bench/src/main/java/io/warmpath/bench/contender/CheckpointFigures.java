package io.warmpath.bench.contender;

/**
 * What a job's checkpoints cost.
 *
 * @param completed how many are complete
 * @param stateBytes full size of the last one
 * @param durationMs how long the last one took, from its trigger to its end
 */
public record CheckpointFigures(long completed, long stateBytes, long durationMs) {

  /** Of what takes no checkpoints. */
  public static final CheckpointFigures NONE = new CheckpointFigures(0, 0, 0);
}
