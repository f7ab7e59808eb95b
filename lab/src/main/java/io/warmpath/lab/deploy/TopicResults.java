package io.warmpath.lab.deploy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.verify.KafkaLog;
import io.warmpath.lab.verify.Stretch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Results from a topic, from where it ended in the beginning. */
final class TopicResults implements ResultLog.Source {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final KafkaLog kafka;
  private final ResultTopic kind;
  private final String topic;
  private Map<TopicPartition, Long> next;

  /**
   * @param suffix what the topic's name ends with
   */
  TopicResults(KafkaLog kafka, ResultTopic kind, String suffix) {
    this.kafka = kafka;
    this.kind = kind;
    this.topic = kind.topic() + suffix;
    this.next = kafka.ends(topic);
  }

  @Override
  public void readOn(BiConsumer<ResultRow, byte[]> into) {
    Map<TopicPartition, Long> ends = kafka.ends(topic);
    kafka.read(
        new Stretch(topic, next, ends),
        record -> row(record).ifPresent(row -> into.accept(row, record.value())));
    next = ends;
  }

  private Optional<ResultRow> row(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null || record.key() == null) {
      return Optional.empty();
    }
    try {
      return kind.row(
          new String(record.key(), StandardCharsets.UTF_8), MAPPER.readTree(record.value()));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "%s-%d@%d is no result: %s"
              .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
          e);
    }
  }
}
