package io.warmpath.console.source;

import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.topic.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the jobs publish to a Kafka cluster, from the recent past on, and dead letters from
 * now on. Partitions are assigned, without a group: each console sees everything, and leaves
 * nothing behind on the brokers. Brokers and topics may come, go and grow at any time.
 */
public final class KafkaResultSource implements ResultSource {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaResultSource.class);

  private static final List<String> RESULT_TOPICS =
      List.of(
          Topics.ROUTING_STATS,
          Topics.ROUTING_WEIGHTS,
          Topics.SHADOW_STATS,
          Topics.WEIGHT_DECISIONS,
          Topics.DEAD_LETTERS);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration LOOK_UP_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PARTITIONS_REFRESH = Duration.ofSeconds(15);
  private static final long RETRY_MS = 2_000;

  private final Map<String, Object> clientProperties;
  private final List<String> topics;
  private final Duration replay;
  private final Clock clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "console-results");

  private volatile Status status = Status.CONNECTING;
  private volatile Consumer<byte[], byte[]> consumer;
  private ResultHandler handler;
  private long partitionsSeenAtMs;

  /** Ends of the partitions as they were found; empty once all was read up to them. */
  private final Map<TopicPartition, Long> unread = new HashMap<>();

  private boolean caughtUp;

  /** Whether partitions have been looked up: one that is found afterwards is new. */
  private boolean partitionsKnown;

  /** Where to go on with dead letters, each of which counts once however often Kafka is lost. */
  private final Map<TopicPartition, Long> deadLettersReadTo = new HashMap<>();

  /**
   * @param clientProperties Kafka client properties, {@code bootstrap.servers} among them
   * @param replay how far back to start
   * @param clock what "back" counts from
   */
  public KafkaResultSource(Map<String, Object> clientProperties, Duration replay, Clock clock) {
    this(RESULT_TOPICS, clientProperties, replay, clock);
  }

  /**
   * Reads only some of the result topics.
   *
   * @param topics those that are read, of the topics that jobs write
   * @param clientProperties Kafka client properties, {@code bootstrap.servers} among them
   * @param replay how far back to start
   * @param clock what "back" counts from
   */
  public KafkaResultSource(
      List<String> topics, Map<String, Object> clientProperties, Duration replay, Clock clock) {
    this.topics = List.copyOf(topics);
    this.clientProperties = new HashMap<>(clientProperties);
    this.clientProperties.putIfAbsent(ConsumerConfig.CLIENT_ID_CONFIG, "warmpath-console");
    this.clientProperties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    this.clientProperties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    // What a job wrote in a transaction counts once its checkpoint is complete.
    this.clientProperties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    this.clientProperties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    this.clientProperties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    this.replay = replay;
    this.clock = clock;
  }

  @Override
  public void start(ResultHandler resultHandler) {
    handler = resultHandler;
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Status status() {
    return status;
  }

  @Override
  public void close() {
    closed.countDown();
    Consumer<byte[], byte[]> reading = consumer;
    if (reading != null) {
      reading.wakeup();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(15));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOpen() {
    return closed.getCount() > 0;
  }

  private void run() {
    try {
      while (isOpen()) {
        readUntilTrouble();
        status = Status.CONNECTING;
        if (closed.await(RETRY_MS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      status = Status.FAILED;
      LOG.error("The console no longer reads results", e);
    }
  }

  /** Reads until closed or until Kafka throws; whatever can pass by itself is retried. */
  private void readUntilTrouble() {
    partitionsSeenAtMs = 0;
    unread.clear();
    try (Consumer<byte[], byte[]> reading =
        new KafkaConsumer<>(
            clientProperties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer = reading;
      while (isOpen()) {
        refreshPartitions(reading);
        if (reading.assignment().isEmpty()) {
          return;
        }
        ConsumerRecords<byte[], byte[]> records = reading.poll(POLL);
        status = Status.READING;
        records.forEach(this::handle);
        tellWhenCaughtUp(reading);
      }
    } catch (WakeupException | InterruptException e) {
      LOG.debug("Stopped reading", e);
    } catch (KafkaException e) {
      LOG.warn("Cannot read the result topics, trying again: {}", e.toString());
    } finally {
      consumer = null;
    }
  }

  private void refreshPartitions(Consumer<byte[], byte[]> reading) {
    long nowMs = clock.millis();
    if (nowMs - partitionsSeenAtMs < PARTITIONS_REFRESH.toMillis()) {
      return;
    }
    partitionsSeenAtMs = nowMs;
    List<TopicPartition> all = new ArrayList<>(reading.assignment());
    List<TopicPartition> added = new ArrayList<>();
    for (String topic : topics) {
      List<PartitionInfo> infos = reading.partitionsFor(topic, LOOK_UP_TIMEOUT);
      if (infos.isEmpty()) {
        // Not created yet: look again soon.
        partitionsSeenAtMs = nowMs - PARTITIONS_REFRESH.toMillis() + RETRY_MS;
      }
      for (PartitionInfo info : infos) {
        TopicPartition partition = new TopicPartition(topic, info.partition());
        if (!all.contains(partition)) {
          added.add(partition);
        }
      }
    }
    if (added.isEmpty()) {
      return;
    }
    all.addAll(added);
    reading.assign(all);
    Map<Boolean, List<TopicPartition>> kinds =
        added.stream().collect(Collectors.partitioningBy(KafkaResultSource::holdsDeadLetters));
    unread.putAll(TopicStart.seek(reading, kinds.get(false), nowMs - replay.toMillis()));
    for (TopicPartition partition : kinds.get(true)) {
      long from =
          deadLettersReadTo.computeIfAbsent(
              partition,
              unknown ->
                  partitionsKnown
                      ? TopicStart.beginning(reading, partition)
                      : TopicStart.end(reading, partition));
      reading.seek(partition, from);
    }
    partitionsKnown = true;
  }

  private void tellWhenCaughtUp(Consumer<byte[], byte[]> reading) {
    if (!caughtUp) {
      unread.entrySet().removeIf(end -> reading.position(end.getKey()) >= end.getValue());
      if (unread.isEmpty()) {
        caughtUp = true;
        handler.onCaughtUp();
      }
    }
  }

  private static boolean holdsDeadLetters(TopicPartition partition) {
    return partition.topic().equals(Topics.DEAD_LETTERS);
  }

  private void handle(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return; // A tombstone takes a model's weights away; they run out by themselves.
    }
    try {
      switch (record.topic()) {
        case Topics.ROUTING_STATS -> handler.onStats(Codecs.ROUTING_STATS.decode(record.value()));
        case Topics.ROUTING_WEIGHTS ->
            handler.onWeights(Codecs.ROUTING_WEIGHTS.decode(record.value()));
        case Topics.SHADOW_STATS -> handler.onShadow(Codecs.SHADOW_STATS.decode(record.value()));
        case Topics.WEIGHT_DECISIONS ->
            handler.onDecision(Codecs.WEIGHT_DECISION.decode(record.value()));
        case Topics.DEAD_LETTERS -> {
          deadLettersReadTo.put(
              new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
          handler.onDeadLetter(Codecs.DEAD_LETTER.decode(record.value()));
        }
        default -> throw new IllegalStateException("not asked for: " + record.topic());
      }
    } catch (InvalidRecordException e) {
      handler.onInvalid(record.topic(), e);
    }
  }
}
