package io.warmpath.bench.pipeline;

import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker of this process whose {@code llm.requests} holds a workload. */
final class EventTopic implements AutoCloseable {

  private static final long PROGRESS_EVENTS = 50_000;

  private final EmbeddedKafka kafka;
  private final Workload workload;
  private final Truth truth;
  private final long bytes;

  private EventTopic(EmbeddedKafka kafka, Workload workload, Truth truth, long bytes) {
    this.kafka = kafka;
    this.workload = workload;
    this.truth = truth;
    this.bytes = bytes;
  }

  /**
   * Starts a broker and writes the events as balancers do.
   *
   * @param progress told now and then how many are written
   * @throws IllegalStateException if they cannot be written
   */
  static EventTopic fill(Workload workload, LongConsumer progress) {
    EmbeddedKafka kafka = EmbeddedKafka.start(0);
    try (TopicCreator creator =
        new TopicCreator(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      creator.create(Topics.ALL, (short) 1);
      Truth truth = new Truth(workload);
      long bytes = write(kafka.bootstrapServers(), workload, truth, progress);
      return new EventTopic(kafka, workload, truth, bytes);
    } catch (RuntimeException e) {
      kafka.close();
      throw e;
    }
  }

  private static long write(
      String bootstrapServers, Workload workload, Truth truth, LongConsumer progress) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "linger.ms",
            5,
            "batch.size",
            64 * 1024,
            "compression.type",
            "lz4");
    WorkloadEvents events = new WorkloadEvents(workload);
    AtomicReference<Exception> failure = new AtomicReference<>();
    long bytes = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (long number = 0; number < workload.events(); number++) {
        ProducerRecord<byte[], byte[]> record = record(events.event(number), truth);
        bytes += record.value().length;
        producer.send(
            record,
            (metadata, e) -> {
              if (e != null) {
                failure.compareAndSet(null, e);
              }
            });
        if (number % PROGRESS_EVENTS == 0) {
          progress.accept(number);
        }
      }
      QuietTopics.fill(producer, WorkloadEvents.MODEL, workload.endMs());
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the topic cannot be filled", failure.get());
    }
    return bytes;
  }

  private static ProducerRecord<byte[], byte[]> record(Finished event, Truth truth) {
    truth.add(event);
    return new ProducerRecord<>(
        Topics.REQUESTS,
        null,
        event.context().eventTimeMs(),
        event.context().requestId().getBytes(StandardCharsets.UTF_8),
        Codecs.REQUEST_EVENT.encode(event));
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  Workload workload() {
    return workload;
  }

  Truth truth() {
    return truth;
  }

  /** Mean size of an event's value. */
  double meanEventBytes() {
    return (double) bytes / workload.events();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
