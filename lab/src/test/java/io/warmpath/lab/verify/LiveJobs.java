package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.RoutingWeightsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.EmbeddedJob;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.WeightDecision;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/** A broker with both jobs on it, that can be stopped, killed and started again. */
final class LiveJobs implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String STATS = "routing-stats";
  private static final String WEIGHTS = "routing-weights";

  private final EmbeddedKafka kafka = EmbeddedKafka.start(0);
  private final EmbeddedFlink flink = EmbeddedFlink.start(3);
  private final KafkaProducer<byte[], byte[]> producer;
  private final TopicHistory<RoutingStats> rows;
  private final TopicHistory<WeightDecision> decisions;
  private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
  private Duration idleness = Duration.ofMinutes(1);
  private EmbeddedJob stats;
  private EmbeddedJob weights;

  LiveJobs(int parallelism) {
    try (TopicCreator topics = new TopicCreator(clients())) {
      assertTrue(topics.create(busyTopics(), (short) 1).good());
    }
    producer = new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer());
    rows = TopicHistory.follow(servers(), Topics.ROUTING_STATS, Codecs.ROUTING_STATS);
    decisions = TopicHistory.follow(servers(), Topics.WEIGHT_DECISIONS, Codecs.WEIGHT_DECISION);
    stats = flink.run(STATS, parallelism, env -> RoutingStatsJob.attach(env, statsConfig()));
    weights = flink.run(WEIGHTS, 1, env -> RoutingWeightsJob.attach(env, weightsConfig()));
  }

  /** Topics that have an event every other second in each partition. */
  private static List<TopicSpec> busyTopics() {
    Set<String> keyedByReplica = Set.of(Topics.CACHE_EVENTS, Topics.REPLICA_TELEMETRY);
    return Topics.ALL.stream()
        .map(topic -> keyedByReplica.contains(topic.name()) ? topic.withPartitions(2) : topic)
        .toList();
  }

  String servers() {
    return kafka.bootstrapServers();
  }

  Map<String, Object> clients() {
    return Map.of("bootstrap.servers", servers());
  }

  /**
   * The log's minutes pass in seconds, so a partition that a slow machine reads a second later than
   * others would be minutes behind: each is waited for.
   */
  private StatsJobConfig statsConfig() {
    return StatsJobConfig.parse(
        "--bootstrap-servers",
        servers(),
        "--idleness",
        idleness.toSeconds() + "s",
        "--max-drift",
        "10m",
        "--checkpoint-interval",
        "0s");
  }

  private WeightsJobConfig weightsConfig() {
    return WeightsJobConfig.parse("--bootstrap-servers", servers(), "--checkpoint-interval", "0s");
  }

  void send(ProducerRecord<byte[], byte[]> record) {
    producer.send(
        record,
        (written, failure) -> {
          if (failure != null) {
            failures.add(failure);
          }
        });
  }

  /** Writes a result into the partition where those of its model are. */
  void sendAsOf(String model, String topic, byte[] key, byte[] value) {
    int partitions = producer.partitionsFor(topic).size();
    int hash = Utils.toPositive(Utils.murmur2(model.getBytes(StandardCharsets.UTF_8)));
    send(new ProducerRecord<>(topic, hash % partitions, key, value));
    flush();
  }

  void flush() {
    producer.flush();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  /** Waits until the windows that end before a time are out, and decided on. */
  void awaitUntil(long timeMs) {
    assertTrue(
        rows.await(all -> last(all, timeMs), PATIENCE).isPresent(), "no rows up to " + timeMs);
    assertTrue(
        decisions
            .await(
                all ->
                    all.stream().filter(seen -> seen.value().epoch() > timeMs - 10_000).findFirst(),
                PATIENCE)
            .isPresent(),
        "no decisions up to " + timeMs);
  }

  private static Optional<RoutingStats> last(List<Seen<RoutingStats>> all, long timeMs) {
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.get(all.size() - 1).value()).filter(row -> row.windowEndMs() >= timeMs);
  }

  /** Adds a partition to a topic, and returns its number. */
  int addPartition(String topic) {
    try (Admin admin = Admin.create(clients())) {
      int partition = producer.partitionsFor(topic).size();
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partition + 1))).all().get();
      return partition;
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot add a partition to " + topic, e);
    }
  }

  /** From the next start on, partitions that are silent for so long are not waited for. */
  void waitForSilentOnes(Duration time) {
    idleness = time;
  }

  /** All rows so far. */
  List<Seen<RoutingStats>> rows() {
    return rows.records();
  }

  /** All decisions so far. */
  List<Seen<WeightDecision>> decisions() {
    return decisions.records();
  }

  /** Takes a checkpoint of both jobs. */
  List<String> checkpoint() {
    return List.of(stats.checkpoint(), weights.checkpoint());
  }

  /** Kills both jobs, and lets them go on from an earlier checkpoint. */
  void killAndGoOn(List<String> checkpoint, int parallelism) {
    stats.cancel();
    weights.cancel();
    goOn(checkpoint, parallelism);
  }

  /** Stops both jobs with a savepoint, and lets them go on from it. */
  void stopAndGoOn(Path folder, int parallelism) {
    List<String> savepoints =
        List.of(stats.stopWithSavepoint(folder), weights.stopWithSavepoint(folder));
    goOn(savepoints, parallelism);
  }

  private void goOn(List<String> state, int parallelism) {
    stats =
        flink.runFrom(
            state.get(0), STATS, parallelism, env -> RoutingStatsJob.attach(env, statsConfig()));
    weights =
        flink.runFrom(
            state.get(1), WEIGHTS, 1, env -> RoutingWeightsJob.attach(env, weightsConfig()));
  }

  @Override
  public void close() {
    rows.close();
    decisions.close();
    producer.close();
    flink.close();
    kafka.close();
  }
}
