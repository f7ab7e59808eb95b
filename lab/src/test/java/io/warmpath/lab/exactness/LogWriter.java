package io.warmpath.lab.exactness;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records in their order, as fast as the broker takes them. */
public final class LogWriter implements Consumer<ProducerRecord<byte[], byte[]>>, AutoCloseable {

  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /** Writes to the topics of a broker. */
  public LogWriter(String bootstrapServers) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "linger.ms",
            20,
            "batch.size",
            256 * 1024,
            "compression.type",
            "lz4");
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void accept(ProducerRecord<byte[], byte[]> record) {
    producer.send(record, (written, e) -> failure.compareAndSet(null, e));
  }

  /**
   * Waits until the broker has everything.
   *
   * @throws IllegalStateException if it did not take one
   */
  public void flush() {
    producer.flush();
    if (failure.get() != null) {
      throw new IllegalStateException("a record was not taken", failure.get());
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
