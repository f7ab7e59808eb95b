package io.warmpath.jobs.sink;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Rows of shadow policies, keyed by model, policy and window end. */
public final class ShadowWriter implements KafkaRecordSerializationSchema<ShadowStats> {

  private static final long serialVersionUID = 1L;

  private final String topic;

  /**
   * @param topic where they go
   */
  public ShadowWriter(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      ShadowStats row, KafkaSinkContext context, Long timestamp) {
    return Headers.record(
        topic,
        null,
        RecordKeys.of(row).getBytes(StandardCharsets.UTF_8),
        RecordKind.SHADOW_STATS.codec().encode(row),
        RecordKind.SHADOW_STATS);
  }
}
