package io.warmpath.jobs.sink;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.topic.RecordHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Makes Kafka records with the headers that all of Warmpath's carry. */
final class Headers {

  private static final byte[] JSON = RecordHeaders.JSON.getBytes(StandardCharsets.UTF_8);

  private Headers() {}

  /**
   * A record with headers and without timestamp: that says when it was written.
   *
   * @param partition null for the partitioner's choice
   */
  static ProducerRecord<byte[], byte[]> record(
      String topic, Integer partition, byte[] key, byte[] value, RecordKind<?> kind) {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, key, value);
    record.headers().add(RecordHeaders.CONTENT_TYPE, JSON);
    record.headers().add(RecordHeaders.SCHEMA, kind.schema().getBytes(StandardCharsets.UTF_8));
    return record;
  }
}
