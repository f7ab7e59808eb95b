package io.warmpath.jobs.sink;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.window.WrittenRow;
import io.warmpath.schemas.topic.Topics;
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

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      WrittenRow row, KafkaSinkContext context, Long timestamp) {
    return Headers.record(
        Topics.ROUTING_STATS,
        partition(row.model(), context.getPartitionsForTopic(Topics.ROUTING_STATS)),
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
