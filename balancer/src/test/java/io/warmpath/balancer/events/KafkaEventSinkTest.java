package io.warmpath.balancer.events;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaEventSinkTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Test
  void sendsEventsInOrderWithTheirHeaders() {
    MockProducer<String, byte[]> kafka = producer(true);
    try (KafkaEventSink sink = sink(kafka, 100)) {
      sink.emit(event("a"), TRACE);
      sink.emit(event("b"), null);
      Eventually.until("both sent", () -> kafka.history().size() == 2);
      Eventually.until("both confirmed", () -> sink.buffered() == 0);
      assertEquals(2, sink.emitted());
      assertEquals(0, sink.dropped());
    }
    ProducerRecord<String, byte[]> first = kafka.history().get(0);
    assertEquals("llm.requests", first.topic());
    assertEquals("a", first.key());
    assertEquals(event("a"), Codecs.REQUEST_EVENT.decode(first.value()));
    assertEquals("application/json", header(first, "content-type"));
    assertEquals("request-event/1", header(first, "schema"));
    assertEquals(TRACE, header(first, "traceparent"));
    assertNull(kafka.history().get(1).headers().lastHeader("traceparent"));
  }

  @Test
  void dropsAndCountsWhatDoesNotFitWhileKafkaConfirmsNothing() {
    MockProducer<String, byte[]> kafka = producer(false);
    try (KafkaEventSink sink = sink(kafka, 10)) {
      IntStream.range(0, 25).forEach(i -> sink.emit(event("r" + i), null));
      assertEquals(15, sink.dropped());
      assertEquals(10, sink.buffered());
      Eventually.until("all kept ones sent", () -> kafka.history().size() == 10);

      while (kafka.completeNext()) {
        assertTrue(sink.buffered() >= 0);
      }
      Eventually.until("all confirmed", () -> sink.buffered() == 0);
      sink.emit(event("again"), null);
      Eventually.until("sending again", () -> kafka.history().size() == 11);
      kafka.completeNext();
      assertEquals(15, sink.dropped());
    }
  }

  @Test
  void keepsTryingWhileKafkaCannotBeAsked() {
    CountDownLatch back = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    MockProducer<String, byte[]> kafka =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<String, byte[]> record, Callback callback) {
            if (back.getCount() > 0) {
              asked.countDown();
              callback.onCompletion(null, new TimeoutException("no metadata"));
              return null;
            }
            return super.send(record, callback);
          }
        };
    try (KafkaEventSink sink = sink(kafka, 100)) {
      sink.emit(event("a"), null);
      sink.emit(event("b"), null);
      Eventually.until("Kafka was asked", () -> asked.getCount() == 0);
      back.countDown();
      Eventually.until("both sent", () -> kafka.history().size() == 2);
      assertEquals(0, sink.dropped());
      assertArrayEquals(
          new String[] {"a", "b"}, kafka.history().stream().map(ProducerRecord::key).toArray());
    }
  }

  @Test
  void waitsForBrokersWhoseNamesAreNotKnownYet() {
    MockProducer<String, byte[]> kafka = producer(true);
    AtomicInteger tries = new AtomicInteger();
    EventSettings settings = new EventSettings(10, Duration.ofSeconds(5), 0.1);
    try (KafkaEventSink sink =
        new KafkaEventSink(
            settings,
            needed -> {
              if (tries.incrementAndGet() == 1) {
                throw new ConfigException("no resolvable bootstrap urls");
              }
              return kafka;
            })) {
      sink.emit(event("a"), null);
      Eventually.until("sent", () -> kafka.history().size() == 1);
    }
  }

  @Test
  void countsWhatKafkaRefuses() {
    MockProducer<String, byte[]> kafka = producer(false);
    try (KafkaEventSink sink = sink(kafka, 10)) {
      sink.emit(event("a"), null);
      Eventually.until("sent", () -> kafka.history().size() == 1);
      kafka.errorNext(new TimeoutException("expired"));
      Eventually.until("counted", () -> sink.dropped() == 1);
      assertEquals(0, sink.buffered());
    }
  }

  @Test
  void deliversWhatIsBufferedBeforeItCloses() {
    MockProducer<String, byte[]> kafka = producer(true);
    KafkaEventSink sink = sink(kafka, 1000);
    IntStream.range(0, 500).forEach(i -> sink.emit(event("r" + i), null));
    sink.close();
    assertEquals(500, kafka.history().size());
    assertTrue(kafka.closed());
    sink.emit(event("late"), null);
    assertEquals(1, sink.dropped());
  }

  @Test
  void closesWithinItsBoundWhileKafkaCannotBeAsked() {
    MockProducer<String, byte[]> kafka = producer(false);
    kafka.sendException = new TimeoutException("down");
    KafkaEventSink sink = sink(kafka, 10);
    sink.emit(event("a"), null);
    sink.close();
    assertEquals(1, sink.dropped());
  }

  private static KafkaEventSink sink(Producer<String, byte[]> kafka, int buffer) {
    return new KafkaEventSink(
        new EventSettings(buffer, Duration.ofMillis(500), 0.1), settings -> kafka);
  }

  private static MockProducer<String, byte[]> producer(boolean autoComplete) {
    return new MockProducer<>(
        autoComplete, null, new StringSerializer(), new ByteArraySerializer());
  }

  private static RequestEvent event(String requestId) {
    return new AttemptFailed(
        new RequestContext(
            1, requestId, null, "b", 1, 0, "m", null, null, "random", "r", 0, 0, true),
        "connect_failed",
        5);
  }

  private static String header(ProducerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.US_ASCII);
  }
}
