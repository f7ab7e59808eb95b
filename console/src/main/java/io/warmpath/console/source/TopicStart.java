package io.warmpath.console.source;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** Finds where to start reading, so that a page is not empty after a restart. */
final class TopicStart {

  /**
   * Records before the end that are read however old they are. Weights are compacted, and the last
   * ones hold until others come.
   */
  private static final long MIN_RECORDS = 200;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private TopicStart() {}

  /**
   * Moves each partition to its first record at or after {@code fromMs}, or to {@value
   * #MIN_RECORDS} before its end if that is earlier.
   *
   * @return the ends of the partitions
   */
  static Map<TopicPartition, Long> seek(
      Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions, long fromMs) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, fromMs));
    Map<TopicPartition, OffsetAndTimestamp> atTime = consumer.offsetsForTimes(times, TIMEOUT);
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions, TIMEOUT);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, TIMEOUT);
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp first = atTime.get(partition);
      long end = ends.get(partition);
      long recent = first == null ? end : first.offset();
      consumer.seek(
          partition, Math.max(beginnings.get(partition), Math.min(recent, end - MIN_RECORDS)));
    }
    return ends;
  }

  /** The offset of a partition's next record. */
  static long end(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    return consumer.endOffsets(List.of(partition), TIMEOUT).get(partition);
  }

  /** The offset of a partition's first record. */
  static long beginning(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    return consumer.beginningOffsets(List.of(partition), TIMEOUT).get(partition);
  }
}
