package io.warmpath.replica.events;

import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.JsonCodec;
import io.warmpath.schemas.topic.RecordHeaders;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to Kafka. Where Kafka is down or slow, records wait in the client's bounded buffer and are
 * then dropped and counted.
 */
public final class KafkaEventSink implements CacheEventSink {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaEventSink.class);
  private static final Duration CLOSE = Duration.ofSeconds(2);
  private static final long LOG_EVERY_MS = 30_000;

  /** Small figures: one replica sends kilobytes a second, and news that is old helps nobody. */
  private static final Map<String, Object> DEFAULTS =
      Map.of(
          ProducerConfig.MAX_BLOCK_MS_CONFIG, "200",
          ProducerConfig.BUFFER_MEMORY_CONFIG, "8388608",
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "5000",
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "10000",
          ProducerConfig.LINGER_MS_CONFIG, "2");

  private final byte[] key;
  private final Producer<byte[], byte[]> producer;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong lastLoggedMs = new AtomicLong();

  /** A sink over a producer, which it closes in the end. */
  KafkaEventSink(String replica, Producer<byte[], byte[]> producer) {
    key = replica.getBytes(StandardCharsets.UTF_8);
    this.producer = producer;
  }

  /**
   * Makes a producer. It need not reach Kafka yet.
   *
   * @param clientProperties {@code bootstrap.servers} and whatever else the client should have
   * @throws KafkaException if the properties are no producer's
   */
  public static KafkaEventSink connect(String replica, Map<String, Object> clientProperties) {
    Map<String, Object> properties = new HashMap<>(DEFAULTS);
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "warmpath-" + replica);
    properties.putAll(clientProperties);
    return new KafkaEventSink(
        replica,
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  @Override
  public void send(CacheEventBatch batch) {
    send(Topics.CACHE_EVENTS, batch.eventTimeMs(), Codecs.CACHE_EVENT_BATCH, batch);
  }

  @Override
  public void send(ReplicaTelemetry telemetry) {
    send(Topics.REPLICA_TELEMETRY, telemetry.eventTimeMs(), Codecs.REPLICA_TELEMETRY, telemetry);
  }

  @Override
  public long dropped() {
    return dropped.get();
  }

  @Override
  public void close() {
    producer.close(CLOSE);
  }

  private <T extends WarmpathRecord> void send(
      String topic, long timeMs, JsonCodec<T> codec, T record) {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(topic, null, timeMs, key, codec.encode(record));
    message.headers().add(RecordHeaders.CONTENT_TYPE, ascii(RecordHeaders.JSON));
    message.headers().add(RecordHeaders.SCHEMA, ascii(codec.schema()));
    try {
      producer.send(
          message,
          (metadata, failure) -> {
            if (failure != null) {
              drop(topic, failure);
            }
          });
    } catch (KafkaException e) {
      drop(topic, e);
    }
  }

  private void drop(String topic, Exception failure) {
    long count = dropped.incrementAndGet();
    long nowMs = System.currentTimeMillis();
    long lastMs = lastLoggedMs.get();
    if (nowMs - lastMs >= LOG_EVERY_MS && lastLoggedMs.compareAndSet(lastMs, nowMs)) {
      LOG.warn(
          "{} records dropped so far, the last one for {}: {}", count, topic, failure.toString());
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
