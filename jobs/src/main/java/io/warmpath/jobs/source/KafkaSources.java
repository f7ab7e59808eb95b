package io.warmpath.jobs.source;

import io.warmpath.jobs.config.KafkaSettings;
import java.util.Map;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/** Sources of Warmpath's topics. */
public final class KafkaSources {

  private KafkaSources() {}

  /**
   * A source that goes on where its group stood, and begins with the oldest record where the group
   * never stood anywhere: nothing is skipped, and nothing comes twice but what came after the last
   * checkpoint. It sees nothing of transactions that were not committed.
   */
  @SuppressWarnings("deprecation") // The connector's own signature wants Kafka's old enum.
  public static <T> KafkaSource<Inbound<T>> of(
      KafkaSettings kafka, String topic, RecordForm<T> form) {
    return reader(kafka, topic, form)
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        .build();
  }

  /**
   * A source that reads a stretch of a topic and ends: in each partition from an offset on, up to
   * another that it does not read. It leaves its group's offsets alone.
   */
  public static <T> KafkaSource<Inbound<T>> between(
      KafkaSettings kafka,
      String topic,
      RecordForm<T> form,
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> to) {
    return reader(kafka, topic, form)
        .setProperty(KafkaSourceOptions.COMMIT_OFFSETS_ON_CHECKPOINT.key(), "false")
        .setStartingOffsets(OffsetsInitializer.offsets(from))
        .setBounded(OffsetsInitializer.offsets(to))
        .build();
  }

  private static <T> KafkaSourceBuilder<Inbound<T>> reader(
      KafkaSettings kafka, String topic, RecordForm<T> form) {
    return KafkaSource.<Inbound<T>>builder()
        .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
        .setProperties(kafka.toProperties())
        .setBootstrapServers(kafka.bootstrapServers())
        .setGroupId(kafka.groupId())
        .setClientIdPrefix(kafka.groupId() + "-" + topic)
        .setTopics(topic)
        .setDeserializer(new RecordReader<>(form));
  }
}
