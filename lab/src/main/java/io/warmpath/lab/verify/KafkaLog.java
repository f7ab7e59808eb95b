package io.warmpath.lab.verify;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Topics as they lie there; nothing is seen of transactions that were not committed. */
public final class KafkaLog implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final int FETCH_BYTES = 8 << 20;

  private final KafkaConsumer<byte[], byte[]> consumer;

  /**
   * @param properties properties of Kafka clients, {@code bootstrap.servers} among them
   */
  public KafkaLog(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
    all.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    // Offsets are given always; one that is gone meanwhile is an error.
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    consumer = new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The first offset of each partition that is not there yet. */
  public Map<TopicPartition, Long> ends(String topic) {
    return consumer.endOffsets(partitions(topic));
  }

  /** The first offset of each partition that is still there. */
  Map<TopicPartition, Long> beginnings(String topic) {
    return consumer.beginningOffsets(partitions(topic));
  }

  /**
   * The first offset of each partition that was written at {@code timeMs} or later.
   *
   * @param otherwise offsets of partitions without such a record, and most of all others
   */
  Map<TopicPartition, Long> at(String topic, long timeMs, Map<TopicPartition, Long> otherwise) {
    Map<TopicPartition, Long> times =
        partitions(topic).stream().collect(Collectors.toMap(each -> each, each -> timeMs));
    Map<TopicPartition, Long> offsets = new HashMap<>(otherwise);
    for (Map.Entry<TopicPartition, OffsetAndTimestamp> found :
        consumer.offsetsForTimes(times).entrySet()) {
      if (found.getValue() != null) {
        offsets.merge(found.getKey(), found.getValue().offset(), Math::min);
      }
    }
    return offsets;
  }

  /**
   * What is there of a topic.
   *
   * @param fromMs only from what was written then
   * @param ends where it ends
   */
  Stretch stretch(String topic, OptionalLong fromMs, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> from =
        fromMs.isPresent() ? at(topic, fromMs.getAsLong(), ends) : beginnings(topic);
    return new Stretch(topic, from, ends);
  }

  /** When the first record of a partition's stretch was written; empty if it holds none. */
  OptionalLong firstWrittenMs(Stretch stretch, TopicPartition partition) {
    long from = stretch.from().get(partition);
    if (!stretch.reaches(partition, from)) {
      return OptionalLong.empty();
    }
    consumer.assign(List.of(partition));
    consumer.seek(partition, from);
    while (stretch.reaches(partition, consumer.position(partition))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return OptionalLong.of(record.timestamp());
      }
    }
    return OptionalLong.empty();
  }

  private List<TopicPartition> partitions(String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  /** Reads all of a stretch, the records of each partition in their order. */
  public void read(Stretch stretch, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    List<TopicPartition> open =
        stretch.from().keySet().stream()
            .filter(each -> stretch.reaches(each, stretch.from().get(each)))
            .toList();
    consumer.assign(open);
    open.forEach(each -> consumer.seek(each, stretch.from().get(each)));
    while (!open.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (stretch.reaches(
            new TopicPartition(record.topic(), record.partition()), record.offset())) {
          reader.accept(record);
        }
      }
      // By position: what ends a transaction takes an offset, but is no record.
      open = open.stream().filter(each -> stretch.reaches(each, consumer.position(each))).toList();
      consumer.assign(open);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
