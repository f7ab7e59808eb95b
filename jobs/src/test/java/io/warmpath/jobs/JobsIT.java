package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.KafkaSettings;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.TopicCheck;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.jobs.testing.Broker;
import io.warmpath.jobs.testing.Request;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both jobs on a broker, in real time, with a balancer that sends a request now and then. */
class JobsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Rows and weights must be out this long after the end of their window. The middle one of several
   * is held to it: on a machine that is busy with other things as well, one stall is no fault of
   * the jobs.
   */
  private static final long DEADLINE_MS = 2_000 + 3_000;

  /** What came before the jobs ran steadily is not held to the deadline. */
  private static final long WARM_UP_MS = 15_000;

  private static final long REQUEST_EVERY_MS = 700;
  private static final long REPORT_EVERY_MS = 1_000;

  @TempDir private static Path folder;

  private static Broker broker;
  private static ScheduledExecutorService traffic;
  private static JobClient jobs;
  private static long startedMs;

  @BeforeAll
  static void start() throws Exception {
    broker = new Broker(folder);
    broker.createTopic(Topics.REQUESTS, 3);
    broker.createTopic(Topics.CACHE_EVENTS, 3);
    broker.createTopic(Topics.REPLICA_TELEMETRY, 3);
    broker.createTopic(Topics.ROUTING_STATS, 3);
    broker.createTopic(Topics.ROUTING_WEIGHTS, 1);
    broker.createTopic(Topics.WEIGHT_DECISIONS, 1);
    broker.createTopic(Topics.DEAD_LETTERS, 1);

    // More subtasks than partitions, so that some have nothing to read.
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(4);
    String servers = broker.bootstrapServers();
    RoutingStatsJob.attach(
        env, StatsJobConfig.parse("--bootstrap-servers", servers, "--checkpoint-interval", "1s"));
    RoutingWeightsJob.attach(
        env, WeightsJobConfig.parse("--bootstrap-servers", servers, "--checkpoint-interval", "1s"));
    startedMs = System.currentTimeMillis();
    jobs = env.executeAsync("both jobs");
    traffic = Executors.newSingleThreadScheduledExecutor();
    traffic.scheduleAtFixedRate(JobsIT::sendRequest, 0, REQUEST_EVERY_MS, TimeUnit.MILLISECONDS);
    traffic.scheduleAtFixedRate(JobsIT::sendReports, 0, REPORT_EVERY_MS, TimeUnit.MILLISECONDS);
  }

  @AfterAll
  static void stop() throws Exception {
    traffic.shutdownNow();
    jobs.cancel().get(30, TimeUnit.SECONDS);
    broker.close();
  }

  private static void sendRequest() {
    long nowMs = System.currentTimeMillis();
    Request request = Request.at(nowMs).model("warmpath-demo").replica("replica-" + nowMs % 2);
    send(Topics.REQUESTS, "a" + nowMs, Codecs.REQUEST_EVENT.encode(request.firstToken()));
    send(Topics.REQUESTS, "a" + nowMs, Codecs.REQUEST_EVENT.encode(request.finished()));
  }

  private static void sendReports() {
    for (String replica : List.of("replica-0", "replica-1", "replica-idle")) {
      ReplicaTelemetry report =
          new ReplicaTelemetry(
              System.currentTimeMillis(), replica, "warmpath-demo", 16, 0, 0, 0, 100, null);
      send(Topics.REPLICA_TELEMETRY, replica, Codecs.REPLICA_TELEMETRY.encode(report));
    }
  }

  private static void send(String topic, String key, byte[] value) {
    broker.send(topic, key, value);
  }

  @Test
  void rowsComeWithinTheDeadlineAndInOrder() {
    List<RoutingStats> rows = new ArrayList<>();
    List<Long> delaysMs = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record :
        broker.readUntil(Topics.ROUTING_STATS, PATIENCE, JobsIT::isLateEnough)) {
      RoutingStats row = Codecs.ROUTING_STATS.decode(record.value());
      if (row.provisional()) {
        continue;
      }
      rows.add(row);
      if (row.isTotal() && row.windowEndMs() > startedMs + WARM_UP_MS) {
        delaysMs.add(record.timestamp() - row.windowEndMs());
      }
    }

    assertMostlyInTime(delaysMs);
    long lastEndMs = 0;
    for (RoutingStats row : rows) {
      assertTrue(row.windowEndMs() >= lastEndMs, row::toString);
      lastEndMs = row.windowEndMs();
    }
    RoutingStats total = rows.get(rows.size() - 1);
    assertEquals(10_000, total.windowSizeMs());
    assertEquals(10_000.0 / REQUEST_EVERY_MS, total.requests(), 1.0);
    assertEquals(0, total.late() + total.dropped() + total.skewed());
  }

  /** The total of a window that began when all was running. */
  private static boolean isLateEnough(ConsumerRecord<byte[], byte[]> record) {
    RoutingStats row = Codecs.ROUTING_STATS.decode(record.value());
    return row.isTotal()
        && !row.provisional()
        && row.windowSizeMs() == 10_000
        && row.windowStartMs() > startedMs + WARM_UP_MS;
  }

  private static void assertMostlyInTime(List<Long> delaysMs) {
    List<Long> sorted = delaysMs.stream().sorted().toList();
    assertTrue(
        sorted.get(sorted.size() / 2) <= DEADLINE_MS,
        () -> "written so many ms after their windows: " + sorted);
  }

  @Test
  void weightsComeWithinTheDeadlineAndRise() {
    List<ConsumerRecord<byte[], byte[]>> records =
        broker.readUntil(
            Topics.ROUTING_WEIGHTS,
            PATIENCE,
            record -> weights(record).epoch() > startedMs + 25_000);

    long lastEpoch = 0;
    List<Long> delaysMs = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      RoutingWeights weights = weights(record);
      assertTrue(weights.epoch() > lastEpoch);
      lastEpoch = weights.epoch();
      if (weights.windowEndMs() > startedMs + WARM_UP_MS) {
        delaysMs.add(record.timestamp() - weights.windowEndMs());
      }
    }
    assertMostlyInTime(delaysMs);
    RoutingWeights last = weights(records.get(records.size() - 1));
    assertEquals("warmpath-demo", new String(records.get(0).key(), StandardCharsets.UTF_8));
    assertEquals(
        List.of("replica-0", "replica-1", "replica-idle"),
        last.replicas().stream().map(replica -> replica.replica()).toList());
    List<ConsumerRecord<byte[], byte[]>> decisions =
        broker.readUntil(
            Topics.WEIGHT_DECISIONS,
            PATIENCE,
            record -> Codecs.WEIGHT_DECISION.decode(record.value()).epoch() == last.epoch());
    WeightDecision why = Codecs.WEIGHT_DECISION.decode(decisions.get(decisions.size() - 1).value());
    assertEquals(last.windowEndMs(), why.windowEndMs());
  }

  private static RoutingWeights weights(ConsumerRecord<byte[], byte[]> record) {
    return Codecs.ROUTING_WEIGHTS.decode(record.value());
  }

  @Test
  void aMalformedRecordBecomesADeadLetterAndTheJobStaysUp() throws Exception {
    send(Topics.REQUESTS, "broken", "{\"v\":1,".getBytes(StandardCharsets.UTF_8));

    List<ConsumerRecord<byte[], byte[]>> letters =
        broker.readUntil(
            Topics.DEAD_LETTERS,
            PATIENCE,
            record -> new String(record.key(), StandardCharsets.UTF_8).equals("broken"));
    DeadLetter letter = Codecs.DEAD_LETTER.decode(letters.get(letters.size() - 1).value());
    assertEquals(Topics.REQUESTS, letter.topic());
    assertEquals("not_json", letter.reason().wireName());
    assertEquals("RUNNING", jobs.getJobStatus().get().name());
  }

  @Test
  void aMissingTopicIsCalledByNameAndTheBrokersByTheirOption() {
    KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "group", Map.of());
    TopicCheck.require(
        kafka, JobMain.topics(RoutingStatsJob.INPUTS, RoutingStatsJob.OUTPUTS, kafka));
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> TopicCheck.require(kafka, List.of(Topics.REQUESTS, "llm.nothing")));
    assertEquals(
        "--bootstrap-servers: topic llm.nothing does not exist at "
            + broker.bootstrapServers()
            + "; create it with 'warmpath topics'",
        thrown.getMessage());
  }
}
