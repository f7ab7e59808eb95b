package io.warmpath.lab.truth;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The rows that the stats job wrote, and which of them stand. */
public final class StatsTopic implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  private final Map<String, RoutingStats> last = new HashMap<>();
  private final Set<Hash> seen = new HashSet<>();
  private long records;
  private long repeated;

  /** 128 bits of a key and value. */
  private record Hash(long high, long low) {

    static Hash of(byte[] key, byte[] value) {
      HashValue128 hash =
          Hashing.xxh3_128().hashStream().putByteArray(key).putByteArray(value).get();
      return new Hash(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
    }
  }

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;

  /** Stands at the topic's beginning. */
  public StatsTopic(String bootstrapServers) {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    partitions =
        consumer.partitionsFor(Topics.ROUTING_STATS).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Reads on to where it ends now. */
  public void readOn() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      consumer.poll(POLL).forEach(this::add);
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    records++;
    if (!seen.add(Hash.of(record.key(), record.value()))) {
      repeated++;
    }
    RoutingStats row = Codecs.ROUTING_STATS.decode(record.value());
    if (!row.provisional()) {
      last.put(new String(record.key(), StandardCharsets.UTF_8), row);
    }
  }

  /** The final row of each key. */
  public Map<String, RoutingStats> lastRows() {
    return last;
  }

  /** Number of rows whose key and content both came before. */
  public long repeated() {
    return repeated;
  }

  /** Number of all rows, replaced ones included. */
  public long records() {
    return records;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
