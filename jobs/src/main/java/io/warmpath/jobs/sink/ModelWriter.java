package io.warmpath.jobs.sink;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records keyed by their model.
 *
 * @param <T> the records
 */
public final class ModelWriter<T extends WarmpathRecord>
    implements KafkaRecordSerializationSchema<T> {

  private static final long serialVersionUID = 1L;

  private interface ModelOf<T> extends Serializable {
    String model(T record);
  }

  private final String topic;
  private final RecordKind<T> kind;
  private final ModelOf<T> modelOf;

  private ModelWriter(String topic, RecordKind<T> kind, ModelOf<T> modelOf) {
    this.topic = topic;
    this.kind = kind;
    this.modelOf = modelOf;
  }

  /** Writes weights to a topic. */
  public static ModelWriter<RoutingWeights> ofWeights(String topic) {
    return new ModelWriter<>(topic, RecordKind.ROUTING_WEIGHTS, RoutingWeights::model);
  }

  /** Writes the reasons for weights to a topic. */
  public static ModelWriter<WeightDecision> ofDecisions(String topic) {
    return new ModelWriter<>(topic, RecordKind.WEIGHT_DECISION, WeightDecision::model);
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      T record, KafkaSinkContext context, Long timestamp) {
    return Headers.record(
        topic,
        null,
        modelOf.model(record).getBytes(StandardCharsets.UTF_8),
        kind.codec().encode(record),
        kind);
  }
}
