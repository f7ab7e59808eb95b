package io.warmpath.lab.verify;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * A stretch of a topic: in each partition from an offset on, up to another that is not in it.
 *
 * @param topic the topic
 * @param from first offset of each partition
 * @param to first offset after it
 */
public record Stretch(String topic, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {

  public Stretch {
    from = Map.copyOf(from);
    to = Map.copyOf(to);
  }

  /** The same beginnings with other ends. */
  Stretch upTo(Map<TopicPartition, Long> otherEnds) {
    return new Stretch(topic, from, otherEnds);
  }

  /** Whether a partition has had records that are not in here any more. */
  boolean beginsLate(TopicPartition partition) {
    return from.get(partition) > 0;
  }

  /** Whether that is so of any partition. */
  boolean beginsLate() {
    return from.keySet().stream().anyMatch(this::beginsLate);
  }

  /** Whether an offset lies before the end. */
  boolean reaches(TopicPartition partition, long offset) {
    return offset < to.get(partition);
  }

  /** Offsets in it; with transactions some of them hold no record. */
  long offsets() {
    return to.entrySet().stream()
        .mapToLong(end -> Math.max(0, end.getValue() - from.get(end.getKey())))
        .sum();
  }
}
