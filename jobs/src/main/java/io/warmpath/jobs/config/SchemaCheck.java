package io.warmpath.jobs.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.topic.RecordHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Looks whether the newest record of a topic is one that a job reads. Records of another schema
 * would all become dead letters. A single one that is no record at all says nothing of the others.
 */
final class SchemaCheck {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Pattern SCHEMA = Pattern.compile("[a-z][a-z-]*/[0-9]+");

  /** Ends of transactions take offsets too, and are no records. */
  private static final long LOOK_BACK_OFFSETS = 16;

  private static final Duration POLL = Duration.ofMillis(100);

  private SchemaCheck() {}

  /**
   * Returns if the newest record of each topic is of its kind, or says nothing of it.
   *
   * @throws IllegalArgumentException if one is not; the message begins with the option, and names
   *     the topic
   * @throws TimeoutException if the records cannot be read in time
   */
  static void require(KafkaSettings kafka, Map<String, RecordKind<?>> kinds, Duration patience)
      throws TimeoutException {
    Map<String, ConsumerRecord<byte[], byte[]>> newest = newest(kafka, kinds.keySet(), patience);
    for (Map.Entry<String, RecordKind<?>> topic : kinds.entrySet()) {
      ConsumerRecord<byte[], byte[]> record = newest.get(topic.getKey());
      String expected = topic.getValue().schema();
      Optional<String> held = record == null ? Optional.empty() : schema(record, expected);
      if (held.isPresent() && !held.get().equals(expected)) {
        throw new IllegalArgumentException(
            "--bootstrap-servers: topic "
                + topic.getKey()
                + " at "
                + kafka.bootstrapServers()
                + " holds "
                + held.get()
                + ", and this job reads "
                + expected);
      }
    }
  }

  /** Of the records with which the topics' partitions end, the last written of each topic. */
  private static Map<String, ConsumerRecord<byte[], byte[]>> newest(
      KafkaSettings kafka, Iterable<String> topics, Duration patience) throws TimeoutException {
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    Map<String, ConsumerRecord<byte[], byte[]>> newest = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka, patience)) {
      Map<TopicPartition, Long> ends = new HashMap<>();
      for (String topic : topics) {
        List<TopicPartition> partitions =
            consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        ends.putAll(consumer.endOffsets(partitions));
      }
      consumer.assign(ends.keySet());
      consumer
          .beginningOffsets(ends.keySet())
          .forEach(
              (partition, begin) ->
                  consumer.seek(
                      partition, Math.max(begin, ends.get(partition) - LOOK_BACK_OFFSETS)));
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        if (System.nanoTime() > deadlineNanos) {
          throw new TimeoutException("records were not read in time");
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          newest.merge(record.topic(), record, (a, b) -> b.timestamp() >= a.timestamp() ? b : a);
        }
      }
    }
    return newest;
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
