package io.warmpath.jobs.sink;

import io.warmpath.jobs.types.RecordKind;
import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Takes the weights of models that are gone from the compacted topic. */
public final class TombstoneWriter implements KafkaRecordSerializationSchema<String> {

  private static final long serialVersionUID = 1L;

  private final String topic;

  /**
   * @param topic where they go
   */
  public TombstoneWriter(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      String model, KafkaSinkContext context, Long timestamp) {
    return Headers.record(
        topic, null, model.getBytes(StandardCharsets.UTF_8), null, RecordKind.ROUTING_WEIGHTS);
  }
}
