package io.warmpath.bench.flink;

import io.warmpath.bench.contender.WindowFigures;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import io.warmpath.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The rows that come to {@code llm.routing-stats} from now on; read only when asked for. */
final class StatsTopicTail implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(50);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<String, WindowFigures> newest = new HashMap<>();

  StatsTopicTail(String bootstrapServers) {
    consumer =
        new KafkaConsumer<>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.ROUTING_STATS).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.endOffsets(partitions).forEach(consumer::seek);
  }

  /** Minute windows of one policy and one replica: the last row of each counts. */
  List<WindowFigures> windows() {
    Set<TopicPartition> partitions = consumer.assignment();
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        add(Codecs.ROUTING_STATS.decode(record.value()));
      }
    }
    return List.copyOf(newest.values());
  }

  private void add(RoutingStats row) {
    boolean isRollUp =
        row.policy().equals(RoutingStats.ALL) || row.replica().equals(RoutingStats.ALL);
    if (row.windowSizeMs() == WindowFigures.SIZE_MS && !isRollUp && row.requests() > 0) {
      Long p95Us = row.e2e().p95Us();
      newest.put(
          RecordKeys.of(row),
          new WindowFigures(
              WindowFigures.key(row.model(), row.policy(), row.replica()),
              row.windowEndMs(),
              row.requests(),
              p95Us == null ? Double.NaN : p95Us));
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
