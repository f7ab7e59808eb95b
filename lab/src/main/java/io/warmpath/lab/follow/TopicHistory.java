package io.warmpath.lab.follow;

import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.codec.JsonCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * All records of a topic since its beginning, growing as it grows. It keeps what it read: for
 * experiments and tests that end, not for servers that go on.
 */
public final class TopicHistory<T extends WarmpathRecord> implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final String topic;
  private final JsonCodec<T> codec;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread reader;
  private final List<Seen<T>> records = new ArrayList<>();
  private RuntimeException failure;

  private TopicHistory(String bootstrapServers, String topic, JsonCodec<T> codec) {
    this.topic = topic;
    this.codec = codec;
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    reader = new Thread(this::read, "warmpath-follow-" + topic);
    reader.setDaemon(true);
  }

  /**
   * Begins to follow a topic.
   *
   * @throws KafkaException if the brokers do not answer
   */
  public static <T extends WarmpathRecord> TopicHistory<T> follow(
      String bootstrapServers, String topic, JsonCodec<T> codec) {
    TopicHistory<T> history = new TopicHistory<>(bootstrapServers, topic, codec);
    history.reader.start();
    return history;
  }

  private void read() {
    try (consumer) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (true) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          add(record);
        }
      }
    } catch (WakeupException e) {
      // Closed.
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private synchronized void add(ConsumerRecord<byte[], byte[]> record) {
    T value;
    try {
      value = codec.decode(record.value());
    } catch (InvalidRecordException e) {
      // A test may have put it there; the jobs deal with it, a reader passes over it.
      return;
    }
    records.add(new Seen<>(value, record.timestamp()));
    notifyAll();
  }

  private synchronized void fail(RuntimeException e) {
    failure = e;
    notifyAll();
  }

  /** What was read so far, in the order of each partition. */
  public synchronized List<Seen<T>> records() {
    return List.copyOf(records);
  }

  /** The newest record, if there is any. */
  public synchronized Optional<Seen<T>> last() {
    return records.isEmpty() ? Optional.empty() : Optional.of(records.get(records.size() - 1));
  }

  /**
   * Waits until {@code finding} finds something in the records; it is asked again after each new
   * one.
   *
   * @return what it found; empty if the time ran out before
   * @throws IllegalStateException if the topic cannot be read any more, or on interruption
   */
  public synchronized <R> Optional<R> await(
      Function<List<Seen<T>>, Optional<R>> finding, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      if (failure != null) {
        throw new IllegalStateException("cannot read " + topic, failure);
      }
      Optional<R> found = finding.apply(records);
      long leftMs = (deadline - System.nanoTime()) / 1_000_000;
      if (found.isPresent() || leftMs <= 0) {
        return found;
      }
      try {
        wait(leftMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting on " + topic, e);
      }
    }
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
