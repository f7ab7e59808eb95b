package io.warmpath.bench.pipeline;

import java.util.regex.Pattern;

/** Who uses a process's processor time, told by the names of threads. */
public enum CpuUser {
  /** What the contender itself does: subtasks, stream threads, consumers. */
  WORK("work", ".*\\(\\d+/\\d+\\)#\\d+|.*-StreamThread-\\d+|plain-consumer-\\d+"),
  /** Flink's threads that ask the broker for records and unpack them. */
  FETCHERS("fetchers", "Source Data Fetcher .*"),
  /** Kafka's clients behind them: sending, heartbeats. */
  KAFKA_CLIENTS("Kafka", "kafka-.*"),
  /** What is written of checkpoints beside the work. */
  CHECKPOINTS("checkpoints", "AsyncOperations-thread-\\d+"),
  COMPILERS("compilers", "C[12] CompilerThre.*"),
  COLLECTOR("collector", "GC Thread.*|G1 .*|ZDirector|ZDriver.*|ZWorker.*|VM Thread"),
  /** All the rest: Flink's cluster, the bench itself. */
  OTHERS("others", ".*");

  private final String label;
  private final Pattern threads;

  CpuUser(String label, String threads) {
    this.label = label;
    this.threads = Pattern.compile(threads);
  }

  /** Its name for people. */
  String label() {
    return label;
  }

  /** Who a thread belongs to. */
  static CpuUser of(String threadName) {
    // A fetcher is called after the subtask that it works for.
    if (FETCHERS.threads.matcher(threadName).matches()) {
      return FETCHERS;
    }
    for (CpuUser user : values()) {
      if (user.threads.matcher(threadName).matches()) {
        return user;
      }
    }
    return OTHERS;
  }
}
