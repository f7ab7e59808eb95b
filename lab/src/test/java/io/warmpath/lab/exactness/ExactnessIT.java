package io.warmpath.lab.exactness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.window.PaneRing;
import io.warmpath.jobs.window.WindowSpec;
import io.warmpath.lab.Await;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.EmbeddedJob;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.lab.truth.Backlog;
import io.warmpath.lab.truth.StatsTopic;
import io.warmpath.lab.truth.Truth;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The stats job reads a log in every disorder of the contract, as fast as it can: every count of
 * every window is the truth, every percentile within 1 %, and each record is accounted for once.
 */
class ExactnessIT {

  private static final long SEED = 5;
  private static final long AGE_MS = 3_600_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Truth truth = new Truth();
  private EmbeddedKafka kafka;
  private EmbeddedFlink flink;
  private LogWriter writer;
  private StatsJobConfig config;

  @BeforeEach
  void start() {
    kafka = EmbeddedKafka.start(0);
    flink = EmbeddedFlink.start(2);
    try (TopicCreator topics = new TopicCreator(clients())) {
      assertTrue(topics.create(topics(), (short) 1).good());
    }
    writer = new LogWriter(kafka.bootstrapServers());
    config =
        StatsJobConfig.parse(
            "--bootstrap-servers",
            kafka.bootstrapServers(),
            "--bound",
            DisorderlyRequests.BOUND_MS + "ms",
            "--checkpoint-interval",
            "2s");
  }

  private Map<String, Object> clients() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  private static List<TopicSpec> topics() {
    return Topics.ALL.stream()
        .map(
            topic ->
                topic.name().equals(Topics.REQUESTS)
                    ? topic.withPartitions(DisorderlyRequests.PARTITIONS)
                    : topic)
        .toList();
  }

  @AfterEach
  void stop() {
    writer.close();
    flink.close();
    kafka.close();
  }

  @Test
  void everyCountIsTheTruthAndEveryRecordIsAccountedFor() throws Exception {
    check(16, 200_000, Duration.ofSeconds(400));
  }

  @Test
  @Tag("faults")
  void soItIsWithTwoMillionEvents() throws Exception {
    check(64, 2_000_000, Duration.ofSeconds(600));
  }

  private void check(int replicas, long events, Duration span) throws Exception {
    // A whole number of all windows, so that they lie alike whenever the test runs.
    long longestMs = PaneRing.RETENTION.toMillis();
    long fromMs = (System.currentTimeMillis() - AGE_MS) / longestMs * longestMs;
    DisorderlyRequests log =
        new DisorderlyRequests(SEED, replicas, fromMs, span.toMillis(), events, truth, writer);
    long start = System.nanoTime();
    log.write();
    writer.flush();
    long input = records(Topics.REQUESTS);
    report("log of " + input + " records written", start);

    start = System.nanoTime();
    EmbeddedJob job = flink.run("routing-stats", 2, env -> RoutingStatsJob.attach(env, config));
    Backlog.awaitNone(
        kafka.bootstrapServers(), Topics.REQUESTS, config.kafka().groupId(), PATIENCE);
    report("read", start);
    // So that all windows are over.
    log.letTimePass(longestMs + 2 * DisorderlyRequests.BOUND_MS);
    writer.flush();
    try (StatsTopic stats = new StatsTopic(kafka.bootstrapServers())) {
      awaitAll(job, stats);
      report(stats.records() + " rows, " + stats.lastRows().size() + " stand", start);
      // What is refused is written with a checkpoint at the latest.
      job.checkpoint();
      Account expected = Account.of(log.arrivals(), log.refusals());
      System.out.println("exactness: " + expected);
      for (WindowSpec window : config.windows()) {
        Account account = Account.of(stats.lastRows().values(), window.sizeMs(), deadLetters());
        assertEquals(expected, account);
        assertEquals(input, account.records());
      }
      truth.compare(config.windows(), stats.lastRows()).assertNone();
      assertEquals(0, job.restarts());
    }
  }

  private void awaitAll(EmbeddedJob job, StatsTopic stats) {
    Set<String> last = truth.lastTotals(config.windows());
    Await.until(
        "all windows are out",
        PATIENCE,
        () -> {
          job.requireAlive();
          stats.readOn();
          return stats.lastRows().keySet().containsAll(last);
        });
  }

  private List<DeadLetter> deadLetters() throws Exception {
    long written = records(Topics.DEAD_LETTERS);
    try (TopicHistory<DeadLetter> letters =
        TopicHistory.follow(kafka.bootstrapServers(), Topics.DEAD_LETTERS, Codecs.DEAD_LETTER)) {
      return letters
          .await(all -> all.size() < written ? Optional.empty() : Optional.of(all), PATIENCE)
          .orElseThrow()
          .stream()
          .map(Seen::value)
          .toList();
    }
  }

  private long records(String topic) throws Exception {
    try (Admin admin = Admin.create(clients())) {
      return Backlog.ends(admin, topic).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private static void report(String what, long startNanos) {
    System.out.printf("exactness: %s, %.1f s%n", what, (System.nanoTime() - startNanos) / 1e9);
  }
}
