package io.warmpath.bench.proxy;

import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker of this process that takes the balancer's events and tells it new weights. */
final class EventBroker implements AutoCloseable {

  private static final long WEIGHTS_INTERVAL_MS = 5_000;
  private static final long LEASE_MS = 30_000;
  private static final double BACKLOG_SHARE = 0.15;

  private final EmbeddedKafka kafka = EmbeddedKafka.start(0);
  private final KafkaProducer<byte[], byte[]> producer;
  private final ScheduledExecutorService weights = Executors.newSingleThreadScheduledExecutor();
  private final int replicas;

  /**
   * Starts it; the first weights are there when this returns.
   *
   * @param replicas replicas that get weights, named as in the balancer's configuration
   */
  EventBroker(int replicas) throws InterruptedException {
    this.replicas = replicas;
    try (TopicCreator creator = new TopicCreator(properties())) {
      creator.create(Topics.ALL, (short) 1);
    }
    producer =
        new KafkaProducer<>(properties(), new ByteArraySerializer(), new ByteArraySerializer());
    publish();
    producer.flush();
    weights.scheduleAtFixedRate(
        this::publish, WEIGHTS_INTERVAL_MS, WEIGHTS_INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  private Map<String, Object> properties() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  private void publish() {
    long now = System.currentTimeMillis();
    List<ReplicaWeight> all = IntStream.range(0, replicas).mapToObj(this::weight).toList();
    RoutingWeights record =
        new RoutingWeights(
            Answers.MODEL, now, now + LEASE_MS, now, BACKLOG_SHARE, null, all, List.of());
    producer.send(
        new ProducerRecord<>(
            Topics.ROUTING_WEIGHTS,
            Answers.MODEL.getBytes(StandardCharsets.UTF_8),
            Codecs.ROUTING_WEIGHTS.encode(record)));
  }

  /** Speeds like a small model's: each replica a little slower than the one before. */
  private ReplicaWeight weight(int number) {
    double slower = 1 + 0.02 * number;
    return new ReplicaWeight(
        "replica-" + number, 1 / slower, ReplicaState.ACTIVE, 8_000, 40 * slower, 500, "fit");
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** Request events that it has got. */
  long events() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            properties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.REQUESTS).stream()
              .map(one -> new TopicPartition(one.topic(), one.partition()))
              .toList();
      return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  @Override
  public void close() {
    weights.shutdownNow();
    producer.close();
    kafka.close();
  }
}
