package io.warmpath.jobs.sink;

import io.warmpath.jobs.config.KafkaSettings;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/** Sinks that lose nothing: keys are deterministic, so what comes twice replaces itself. */
public final class KafkaSinks {

  /** Dead letters are a record of up to 1 MiB and its base64. */
  private static final String MAX_REQUEST_BYTES = Integer.toString(2 * 1024 * 1024);

  private KafkaSinks() {}

  /** An at-least-once sink. */
  public static <T> KafkaSink<T> of(KafkaSettings kafka, KafkaRecordSerializationSchema<T> writer) {
    return KafkaSink.<T>builder()
        .setBootstrapServers(kafka.bootstrapServers())
        .setProperty("max.request.size", MAX_REQUEST_BYTES)
        .setProperty("compression.type", "lz4")
        .setKafkaProducerConfig(kafka.toProperties())
        .setRecordSerializer(writer)
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .build();
  }
}
