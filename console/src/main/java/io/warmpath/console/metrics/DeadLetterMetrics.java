package io.warmpath.console.metrics;

import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import java.util.function.ToLongBiFunction;

/** Records that no reader could use. */
final class DeadLetterMetrics {

  static final MetricSpec DEAD_LETTERS =
      MetricSpec.counter(
          "warmpath_dead_letters_total",
          "records",
          "Records that no job could use, by the topic that they were read from and the reason.",
          "topic",
          "reason");

  static final List<MetricSpec> ALL = List.of(DEAD_LETTERS);

  /** Topics that jobs read. */
  private static final List<String> READ =
      List.of(
          Topics.REQUESTS,
          Topics.CACHE_EVENTS,
          Topics.REPLICA_TELEMETRY,
          Topics.ROUTING_STATS,
          Topics.ROUTING_WEIGHTS);

  private DeadLetterMetrics() {}

  /**
   * Writes all counts, those of 0 too: a rate sees the first one only where there was a 0 before.
   *
   * @param counts dead letters of a topic for a reason
   */
  static void write(MetricsText text, ToLongBiFunction<String, Reason> counts) {
    for (String topic : READ) {
      for (Reason reason : Reason.values()) {
        text.sample(DEAD_LETTERS, counts.applyAsLong(topic, reason), topic, reason.wireName());
      }
    }
  }
}
