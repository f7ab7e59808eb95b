package io.warmpath.lab.verify;

import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What the live jobs wrote, brought into files. */
final class Published {

  private final LiveFront front = new LiveFront();
  private final Set<String> provisionalKeys = new HashSet<>();
  private final Map<String, Integer> decisionHashes = new HashMap<>();
  private final Set<String> decidedTwice = new HashSet<>();
  private final List<String> unreadable = new ArrayList<>();

  /** Brings rows into a file; of one key the last comes last. */
  void readRows(KafkaLog kafka, Stretch stretch, Path file) throws IOException {
    try (RecordFile.Writer out = new RecordFile.Writer(file)) {
      kafka.read(stretch, record -> row(record, out));
    }
  }

  private void row(ConsumerRecord<byte[], byte[]> record, RecordFile.Writer out) {
    if (record.value() == null) {
      return;
    }
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    try {
      front.row(RowKey.parse(key), record.timestamp());
    } catch (IllegalArgumentException e) {
      unreadable(record, e);
      return;
    }
    if (isProvisional(record.value())) {
      provisionalKeys.add(key);
    } else {
      write(key, record.value(), out);
    }
  }

  /** What cannot be read is no provisional row: it is compared, and differs. */
  private static boolean isProvisional(byte[] row) {
    try {
      return Codecs.ROUTING_STATS.decode(row).provisional();
    } catch (InvalidRecordException e) {
      return false;
    }
  }

  /** Brings decisions into a file. */
  void readDecisions(KafkaLog kafka, Stretch stretch, Path file) throws IOException {
    try (RecordFile.Writer out = new RecordFile.Writer(file)) {
      kafka.read(stretch, record -> decision(record, out));
    }
  }

  private void decision(ConsumerRecord<byte[], byte[]> record, RecordFile.Writer out) {
    String key;
    try {
      key = DecisionKey.of(Codecs.WEIGHT_DECISION.decode(record.value())).toString();
    } catch (InvalidRecordException e) {
      unreadable(record, e);
      return;
    }
    int hash = Arrays.hashCode(record.value());
    Integer known = decisionHashes.putIfAbsent(key, hash);
    if (known != null && known != hash) {
      decidedTwice.add(key);
    }
    write(key, record.value(), out);
  }

  private void unreadable(ConsumerRecord<byte[], byte[]> record, Exception why) {
    unreadable.add(
        "%s-%d@%d: %s"
            .formatted(record.topic(), record.partition(), record.offset(), why.getMessage()));
  }

  private static void write(String key, byte[] value, RecordFile.Writer out) {
    try {
      out.write(key, value);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a temporary file", e);
    }
  }

  /** How far the live job had come. */
  LiveFront front() {
    return front;
  }

  /** Records that are neither row nor decision: topic, partition and offset, and why. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  /** Keys that a provisional row was published of. */
  Set<String> provisionalKeys() {
    return provisionalKeys;
  }

  /** Decisions of which copies were published that differ. */
  Set<String> decidedTwice() {
    return decidedTwice;
  }
}
