package io.warmpath.jobs.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.topic.RecordHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Looks whether a topic's newest records are of a schema that a job reads. Where none of them is,
 * and some are of another, all would become dead letters. A single one in between, or one that is
 * no record at all, says nothing of the others and must not keep a job from starting again.
 */
final class SchemaCheck {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Pattern SCHEMA = Pattern.compile("[a-z][a-z-]*/[0-9]+");

  /** Ends of transactions take offsets too, and are no records. */
  private static final long LOOK_BACK_OFFSETS = 16;

  private static final Duration POLL = Duration.ofMillis(100);

  private SchemaCheck() {}

  /** What the newest records of a topic say of its schema. */
  private static final class Held {
    private boolean readable;
    private String other;
    private long otherMs = Long.MIN_VALUE;

    private void note(ConsumerRecord<byte[], byte[]> record, String expected) {
      Optional<String> schema = schema(record, expected);
      if (schema.isEmpty()) {
        return;
      }
      if (schema.get().equals(expected)) {
        readable = true;
      } else if (record.timestamp() >= otherMs) {
        other = schema.get();
        otherMs = record.timestamp();
      }
    }
  }

  /**
   * Returns if the newest records of each topic hold one of its kind, or none of another.
   *
   * @throws IllegalArgumentException if they do not; the message begins with the option, and names
   *     the topic
   * @throws TimeoutException if the records cannot be read in time
   */
  static void require(KafkaSettings kafka, Map<String, RecordKind<?>> kinds, Duration patience)
      throws TimeoutException {
    Map<String, Held> newest = newest(kafka, kinds, patience);
    for (Map.Entry<String, RecordKind<?>> topic : kinds.entrySet()) {
      Held held = newest.get(topic.getKey());
      if (held != null && !held.readable && held.other != null) {
        throw new IllegalArgumentException(
            "--bootstrap-servers: topic "
                + topic.getKey()
                + " at "
                + kafka.bootstrapServers()
                + " holds "
                + held.other
                + ", and this job reads "
                + topic.getValue().schema());
      }
    }
  }

  /** What the records say with which the topics' partitions end. */
  private static Map<String, Held> newest(
      KafkaSettings kafka, Map<String, RecordKind<?>> kinds, Duration patience)
      throws TimeoutException {
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    KafkaConsumer<byte[], byte[]> consumer = consumer(kafka, patience);
    try {
      return newest(consumer, kinds, deadlineNanos);
    } finally {
      // It has nothing to give back, and by itself it would wait 30 s for a broker that hangs.
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private static Map<String, Held> newest(
      KafkaConsumer<byte[], byte[]> consumer, Map<String, RecordKind<?>> kinds, long deadlineNanos)
      throws TimeoutException {
    Map<String, Held> newest = new HashMap<>();
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : kinds.keySet()) {
      consumer.partitionsFor(topic, left(deadlineNanos)).stream()
          .map(info -> new TopicPartition(topic, info.partition()))
          .forEach(partitions::add);
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, left(deadlineNanos));
    consumer.assign(partitions);
    consumer
        .beginningOffsets(partitions, left(deadlineNanos))
        .forEach(
            (partition, begin) ->
                consumer.seek(partition, Math.max(begin, ends.get(partition) - LOOK_BACK_OFFSETS)));
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      left(deadlineNanos);
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        newest
            .computeIfAbsent(record.topic(), unheardOf -> new Held())
            .note(record, kinds.get(record.topic()).schema());
      }
    }
    return newest;
  }

  private static Duration left(long deadlineNanos) throws TimeoutException {
    long leftNanos = deadlineNanos - System.nanoTime();
    if (leftNanos <= 0) {
      throw new TimeoutException("records were not read in time");
    }
    return Duration.ofNanos(leftNanos);
  }

  private static KafkaConsumer<byte[], byte[]> consumer(KafkaSettings kafka, Duration patience) {
    Properties properties = kafka.toProperties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The schema that a record says it has, in its header or, without one, by its version. */
  private static Optional<String> schema(ConsumerRecord<byte[], byte[]> record, String expected) {
    Header header = record.headers().lastHeader(RecordHeaders.SCHEMA);
    if (header != null && header.value() != null) {
      String text = new String(header.value(), StandardCharsets.UTF_8);
      return Optional.of(text).filter(SCHEMA.asMatchPredicate());
    }
    String name = expected.substring(0, expected.indexOf('/') + 1);
    return version(record.value()).map(version -> name + version);
  }

  private static Optional<String> version(byte[] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      JsonNode version = JSON.readTree(value).path("v");
      return version.isIntegralNumber() ? Optional.of(version.asText()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
