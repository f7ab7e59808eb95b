package io.warmpath.bench.pipeline;

import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The stats job's other topics, which say nothing here but that time has passed: one record of the
 * last event's time in each partition. Of a silent topic the job would wait some seconds, as long
 * as a reading takes, before it ends windows without it, and be measured without ending any.
 */
final class QuietTopics {

  private static final String REPLICA = "replica-0";
  private static final int BLOCK_TOKENS = 16;

  private QuietTopics() {}

  /** Fills them. */
  static void fill(KafkaProducer<byte[], byte[]> producer, String model, long timeMs) {
    inEachPartition(
        producer,
        Topics.CACHE_EVENTS,
        timeMs,
        Codecs.CACHE_EVENT_BATCH.encode(
            new CacheEventBatch(
                timeMs,
                REPLICA,
                model,
                CacheEventBatch.Source.ENGINE,
                timeMs,
                0,
                0,
                null,
                List.of())));
    inEachPartition(
        producer,
        Topics.REPLICA_TELEMETRY,
        timeMs,
        Codecs.REPLICA_TELEMETRY.encode(
            new ReplicaTelemetry(timeMs, REPLICA, model, BLOCK_TOKENS, 0, 0, 0, 1, null)));
  }

  private static void inEachPartition(
      KafkaProducer<byte[], byte[]> producer, String topic, long timeMs, byte[] value) {
    producer
        .partitionsFor(topic)
        .forEach(
            partition ->
                producer.send(
                    new ProducerRecord<>(topic, partition.partition(), timeMs, null, value)));
  }
}
