package io.warmpath.bench.contender;

/** The programs that are compared. */
public enum ContenderKind {
  PLAIN_CONSUMER("plain consumer"),
  FLINK_SOURCE("Flink source to nothing"),
  STATS("stats job"),
  STATS_NO_DUPLICATES("stats job, duplicate set off"),
  FLINK_SQL("Flink SQL"),
  KAFKA_STREAMS("Kafka Streams");

  private final String label;

  ContenderKind(String label) {
    this.label = label;
  }

  /** Its name for people. */
  public String label() {
    return label;
  }

  /** Whether it is a job on Flink, and takes checkpoints. */
  public boolean runsOnFlink() {
    return this != PLAIN_CONSUMER && this != KAFKA_STREAMS;
  }

  /** Whether it makes windows, which can be compared with the truth. */
  public boolean makesWindows() {
    return this != PLAIN_CONSUMER && this != FLINK_SOURCE;
  }
}
