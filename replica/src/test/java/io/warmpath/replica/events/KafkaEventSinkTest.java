package io.warmpath.replica.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaEventSinkTest {

  private static final CacheEventBatch BATCH =
      new CacheEventBatch(
          1_000,
          "replica-0",
          "m",
          CacheEventBatch.Source.ENGINE,
          1,
          0,
          0,
          null,
          List.of(new CacheEvent.Cleared()));
  private static final ReplicaTelemetry TELEMETRY =
      new ReplicaTelemetry(2_000, "replica-0", "m", 16, 0, 0, 0, 10, null);

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final KafkaEventSink sink = new KafkaEventSink("replica-0", producer);

  @Test
  void recordsCarryKeyTimeAndHeaders() {
    sink.send(BATCH);
    sink.send(TELEMETRY);
    ProducerRecord<byte[], byte[]> batch = producer.history().get(0);
    assertEquals("llm.cache-events", batch.topic());
    assertEquals("replica-0", new String(batch.key(), UTF_8));
    assertEquals(1_000, batch.timestamp());
    assertEquals("application/json", header(batch, "content-type"));
    assertEquals("cache-event-batch/1", header(batch, "schema"));
    assertEquals(BATCH, Codecs.CACHE_EVENT_BATCH.decode(batch.value()));
    ProducerRecord<byte[], byte[]> telemetry = producer.history().get(1);
    assertEquals("llm.replica-telemetry", telemetry.topic());
    assertEquals("replica-telemetry/1", header(telemetry, "schema"));
    assertEquals(TELEMETRY, Codecs.REPLICA_TELEMETRY.decode(telemetry.value()));
  }

  @Test
  void recordThatFailsLaterIsCounted() {
    sink.send(BATCH);
    producer.errorNext(new TimeoutException("expired"));
    assertEquals(1, sink.dropped());
  }

  @Test
  void recordThatFailsAtOnceIsCounted() {
    producer.sendException = new TimeoutException("no metadata");
    sink.send(BATCH);
    assertEquals(1, sink.dropped());
  }

  @Test
  void closingClosesTheProducer() {
    sink.close();
    assertTrue(producer.closed());
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
