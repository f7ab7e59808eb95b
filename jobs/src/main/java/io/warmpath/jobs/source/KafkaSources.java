package io.warmpath.jobs.source;

import io.warmpath.jobs.config.KafkaSettings;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** Sources of Warmpath's topics. */
public final class KafkaSources {

  private KafkaSources() {}

  /**
   * A source that goes on where its group stood, and begins with the oldest record where the group
   * never stood anywhere: nothing is skipped, and nothing comes twice but what came after the last
   * checkpoint.
   */
  @SuppressWarnings("deprecation") // The connector's own signature wants Kafka's old enum.
  public static <T> KafkaSource<Inbound<T>> of(
      KafkaSettings kafka, String topic, RecordForm<T> form) {
    return KafkaSource.<Inbound<T>>builder()
        .setProperties(kafka.toProperties())
        .setBootstrapServers(kafka.bootstrapServers())
        .setGroupId(kafka.groupId())
        .setClientIdPrefix(kafka.groupId() + "-" + topic)
        .setTopics(topic)
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        .setDeserializer(new RecordReader<>(form))
        .build();
  }
}
