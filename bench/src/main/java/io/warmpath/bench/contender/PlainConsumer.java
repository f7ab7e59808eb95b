package io.warmpath.bench.contender;

import io.warmpath.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka's own consumer, which looks at nothing: no program that reads the topic is faster. */
public final class PlainConsumer implements Contender {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final int MAX_POLL_RECORDS = 10_000;

  private final AtomicLong read = new AtomicLong();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final List<KafkaConsumer<byte[], byte[]>> consumers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private PlainConsumer() {}

  /** Starts one consumer a thread, each with its share of the partitions. */
  public static PlainConsumer start(Setup setup) {
    PlainConsumer contender = new PlainConsumer();
    Map<String, Object> properties =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            setup.bootstrapServers(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            MAX_POLL_RECORDS);
    for (int i = 0; i < setup.parallelism(); i++) {
      KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      List<TopicPartition> share = share(consumer, i, setup.parallelism());
      consumer.assign(share);
      consumer.seekToBeginning(share);
      contender.consumers.add(consumer);
      contender.threads.add(new Thread(() -> contender.read(consumer), "plain-consumer-" + i));
    }
    contender.threads.forEach(Thread::start);
    return contender;
  }

  private static List<TopicPartition> share(KafkaConsumer<?, ?> consumer, int of, int all) {
    int partitions = consumer.partitionsFor(Topics.REQUESTS).size();
    return IntStream.range(0, partitions)
        .filter(partition -> partition % all == of)
        .mapToObj(partition -> new TopicPartition(Topics.REQUESTS, partition))
        .toList();
  }

  private void read(KafkaConsumer<byte[], byte[]> consumer) {
    try (consumer) {
      while (true) {
        read.addAndGet(consumer.poll(POLL).count());
      }
    } catch (WakeupException e) {
      // Closed.
    } catch (RuntimeException e) {
      failure.set(e);
    }
  }

  @Override
  public long processed() {
    return read.get();
  }

  @Override
  public void requireSound() {
    if (failure.get() != null) {
      throw new IllegalStateException("the consumer failed", failure.get());
    }
  }

  @Override
  public void close() {
    consumers.forEach(KafkaConsumer::wakeup);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
