package io.warmpath.jobs.sink;

import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.types.RecordKind;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Dead letters under the key of the record that was refused. */
public final class DeadLetterWriter implements KafkaRecordSerializationSchema<Refusal> {

  private static final long serialVersionUID = 1L;

  private final String topic;

  /**
   * @param topic where they go
   */
  public DeadLetterWriter(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Refusal refusal, KafkaSinkContext context, Long timestamp) {
    return Headers.record(
        topic,
        null,
        refusal.key(),
        RecordKind.DEAD_LETTER.codec().encode(refusal.letter()),
        RecordKind.DEAD_LETTER);
  }
}
