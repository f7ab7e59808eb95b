package io.warmpath.lab.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.verify.KafkaLog;
import io.warmpath.lab.verify.Stretch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The final results on a topic since some time: of each key the last. */
final class ResultLog {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Results are kept until the deployment ends; a busier topic is compared for a shorter time. */
  private static final int MAX_RESULTS = 1_000_000;

  private record Held(ResultRow row, byte[] value) {}

  private final KafkaLog kafka;
  private final ResultTopic kind;
  private final String topic;
  private final Map<String, Held> results = new HashMap<>();
  private final Map<String, Long> fronts = new HashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<String> repeated = new LinkedHashSet<>();
  private Map<TopicPartition, Long> next;
  private long front = Long.MIN_VALUE;

  /** Begins with what comes to the topic from now on. */
  ResultLog(KafkaLog kafka, ResultTopic kind, String suffix) {
    this.kafka = kafka;
    this.kind = kind;
    this.topic = kind.topic() + suffix;
    this.next = kafka.ends(topic);
  }

  /** Reads what has come. */
  void readOn() {
    Map<TopicPartition, Long> ends = kafka.ends(topic);
    kafka.read(new Stretch(topic, next, ends), this::take);
    next = ends;
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null || record.key() == null) {
      return;
    }
    ResultRow row = row(record).orElse(null);
    if (row == null) {
      return;
    }
    Held before = results.put(row.key(), new Held(row, record.value()));
    if (before != null && Arrays.equals(before.value, record.value())) {
      repeated.add(row.key());
    }
    if (results.size() > MAX_RESULTS) {
      throw new IllegalStateException(
          topic + ": more than " + MAX_RESULTS + " results; give a shorter --compare-for");
    }
    changed.add(row.key());
    fronts.merge(row.group(), row.endMs(), Math::max);
    front = Math.max(front, row.endMs());
  }

  private Optional<ResultRow> row(ConsumerRecord<byte[], byte[]> record) {
    try {
      JsonNode value = MAPPER.readTree(record.value());
      return kind.row(new String(record.key(), StandardCharsets.UTF_8), value);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "%s-%d@%d is no result: %s"
              .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
          e);
    }
  }

  /** The latest end of any window. */
  long frontMs() {
    return front;
  }

  /** Windows of a group that end before this are all here. */
  long completeBeforeMs(String group, long settleMs) {
    long others = front == Long.MIN_VALUE ? front : front - settleMs;
    return Math.max(fronts.getOrDefault(group, Long.MIN_VALUE), others);
  }

  /** The result of a key; null if there is none. */
  ResultRow row(String key) {
    Held held = results.get(key);
    return held == null ? null : held.row;
  }

  /** Its value as it lies there; null if there is none. */
  byte[] value(String key) {
    Held held = results.get(key);
    return held == null ? null : held.value;
  }

  /** Keys of which something came since the last time. */
  Set<String> takeChanged() {
    Set<String> taken = new LinkedHashSet<>(changed);
    changed.clear();
    return taken;
  }

  /** Keys of which the same result came again since the last time. */
  Set<String> takeRepeated() {
    Set<String> taken = new LinkedHashSet<>(repeated);
    repeated.clear();
    return taken;
  }
}
