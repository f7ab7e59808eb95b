package io.warmpath.jobs.sink;

import io.warmpath.jobs.config.KafkaSettings;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/**
 * Sinks that lose nothing. At least once, the default: keys are deterministic, so what comes twice
 * replaces itself. Exactly once: a reader of committed records sees each once, when its checkpoint
 * is complete.
 */
public final class KafkaSinks {

  /** Dead letters are a record of up to 1 MiB and its base64. */
  private static final String MAX_REQUEST_BYTES = Integer.toString(2 * 1024 * 1024);

  /** The longest that brokers let a transaction be open unless told otherwise. */
  private static final String TRANSACTION_TIMEOUT_MS = Integer.toString(15 * 60 * 1_000);

  private KafkaSinks() {}

  /**
   * A sink.
   *
   * @param name what it writes; names its transactions among those of the job
   */
  public static <T> KafkaSink<T> of(
      KafkaSettings kafka, String name, KafkaRecordSerializationSchema<T> writer) {
    return KafkaSink.<T>builder()
        .setBootstrapServers(kafka.bootstrapServers())
        .setProperty("max.request.size", MAX_REQUEST_BYTES)
        .setProperty("compression.type", "lz4")
        .setProperty("transaction.timeout.ms", TRANSACTION_TIMEOUT_MS)
        .setKafkaProducerConfig(kafka.toProperties())
        .setRecordSerializer(writer)
        .setTransactionalIdPrefix(kafka.groupId() + "-" + name)
        .setDeliveryGuarantee(
            kafka.exactlyOnce() ? DeliveryGuarantee.EXACTLY_ONCE : DeliveryGuarantee.AT_LEAST_ONCE)
        .build();
  }
}
