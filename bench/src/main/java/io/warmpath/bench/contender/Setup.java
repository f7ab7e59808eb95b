package io.warmpath.bench.contender;

/**
 * What a contender is to do.
 *
 * @param bootstrapServers the broker
 * @param name a name that no other run has; consumer groups are called so
 * @param parallelism threads or subtasks that read and work
 * @param state where Flink keeps its state
 * @param checkpointIntervalMs time between checkpoints, and between Kafka Streams' commits
 */
public record Setup(
    String bootstrapServers,
    String name,
    int parallelism,
    StateBackend state,
    long checkpointIntervalMs) {

  /** Where Flink keeps its state. */
  public enum StateBackend {
    HEAP,
    ROCKSDB
  }

  /** The same under another name. */
  public Setup named(String other) {
    return new Setup(bootstrapServers, other, parallelism, state, checkpointIntervalMs);
  }
}
