package io.warmpath.jobs.sink;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.window.WrittenRow;
import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;

/**
 * Rows, keyed by all that names them and partitioned by model, so that a model's rows stay in
 * order.
 */
public final class StatsWriter implements KafkaRecordSerializationSchema<WrittenRow> {

  private static final long serialVersionUID = 1L;

  private final String topic;

  /**
   * @param topic where they go
   */
  public StatsWriter(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      WrittenRow row, KafkaSinkContext context, Long timestamp) {
    return Headers.record(
        topic,
        partition(row.model(), context.getPartitionsForTopic(topic)),
        row.recordKey().getBytes(StandardCharsets.UTF_8),
        row.json(),
        RecordKind.ROUTING_STATS);
  }

  /** The partition that Kafka's own partitioner would take for the model as key. */
  static int partition(String model, int[] partitions) {
    int hash = Utils.murmur2(model.getBytes(StandardCharsets.UTF_8));
    return partitions[Utils.toPositive(hash) % partitions.length];
  }
}
