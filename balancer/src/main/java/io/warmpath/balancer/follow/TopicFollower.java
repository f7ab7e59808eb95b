package io.warmpath.balancer.follow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic on a thread of its own: first to the end that it had when it was found, then on.
 * Without consumer group, for every balancer reads everything. While Kafka or the topic is not
 * there it tries again, and nothing else waits for it but {@link #awaitCaughtUp}.
 */
public final class TopicFollower implements AutoCloseable {

  /** Where reading starts. */
  @FunctionalInterface
  public interface Start {
    /** Moves the consumer, to which the partitions are assigned, to its first records. */
    void seek(Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions);
  }

  private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration CLOSE = Duration.ofSeconds(2);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final String topic;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Start start;
  private final java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> records;
  private final CountDownLatch caughtUp = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean closing;
  private volatile Consumer<byte[], byte[]> current;

  /**
   * Starts following.
   *
   * @param consumers makes a consumer, each time one is needed
   * @param records takes each record, on the follower's thread; must not throw
   */
  public TopicFollower(
      String topic,
      Supplier<Consumer<byte[], byte[]>> consumers,
      Start start,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> records) {
    this.topic = topic;
    this.consumers = consumers;
    this.start = start;
    this.records = records;
    this.thread = new Thread(this::run, "warmpath-follow-" + topic);
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads from the first record that the topic still has. */
  public static void fromBeginning(
      Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    consumer.seekToBeginning(partitions);
  }

  /** Waits until the topic was read to its end, within a bound; false if it was not. */
  public boolean awaitCaughtUp(Duration bound) {
    try {
      return caughtUp.await(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void run() {
    boolean warned = false;
    while (!closing) {
      try (Consumer<byte[], byte[]> consumer = consumers.get()) {
        current = consumer;
        follow(consumer);
      } catch (WakeupException | InterruptException e) {
        if (!closing) {
          LOG.warn("following {} was interrupted", topic, e);
        }
      } catch (KafkaException | IllegalStateException e) {
        if (!warned) {
          warned = true;
          LOG.warn("cannot follow {}, will go on trying: {}", topic, e.toString());
        }
      }
      if (!closing) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions = partitions(consumer);
    if (partitions.isEmpty()) {
      throw new IllegalStateException("topic " + topic + " does not exist");
    }
    consumer.assign(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    start.seek(consumer, partitions);
    while (!closing) {
      consumer.poll(POLL).forEach(records);
      if (caughtUp.getCount() > 0 && reached(consumer, ends)) {
        caughtUp.countDown();
        LOG.info("{} was read to its end", topic);
      }
    }
  }

  private static boolean reached(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
    List<PartitionInfo> found = consumer.partitionsFor(topic);
    return found == null
        ? List.of()
        : found.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
  }

  @Override
  public void close() {
    closing = true;
    Consumer<byte[], byte[]> consumer = current;
    if (consumer != null) {
      consumer.wakeup();
    }
    LockSupport.unpark(thread);
    try {
      thread.join(CLOSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
