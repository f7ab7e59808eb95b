package io.warmpath.lab.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.lab.exactness.LogWriter;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.synthetic.SyntheticFleet;
import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stop with a savepoint while one subtask of the source reads a backlog and the other has nothing
 * to read: each then comes to its end at another moment.
 */
class StopWhileReadingIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int EVENTS = 1_000_000;
  private static final int STOPS = 4;
  private static final long AGE_MS = 3_600_000;
  private static final int EVENTS_PER_MS = 1;

  @TempDir private Path folder;

  @Test
  void theSavepointIsTakenAndTheJobGoesOnFromIt() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(0);
        EmbeddedFlink flink = EmbeddedFlink.start(2);
        TopicCreator topics =
            new TopicCreator(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      assertTrue(topics.create(Topics.ALL, (short) 1).good());
      write(kafka.bootstrapServers());
      StatsJobConfig config = StatsJobConfig.parse("--bootstrap-servers", kafka.bootstrapServers());
      String savepoint = null;
      for (int stop = 0; stop < STOPS; stop++) {
        try (TopicHistory<RoutingStats> rows =
            TopicHistory.follow(
                kafka.bootstrapServers(), Topics.ROUTING_STATS, Codecs.ROUTING_STATS)) {
          EmbeddedJob job = start(flink, config, savepoint);
          Optional<Boolean> reads =
              rows.await(seen -> seen.isEmpty() ? Optional.empty() : Optional.of(true), PATIENCE);
          assertTrue(reads.isPresent());
          savepoint = job.stopWithSavepoint(folder);
          assertFalse(savepoint.isEmpty());
          assertEquals(0, job.restarts());
        }
      }
    }
  }

  private static EmbeddedJob start(EmbeddedFlink flink, StatsJobConfig config, String savepoint) {
    return savepoint == null
        ? flink.run("stats", 2, env -> RoutingStatsJob.attach(env, config))
        : flink.runFrom(savepoint, "stats", 2, env -> RoutingStatsJob.attach(env, config));
  }

  /** All into one partition. */
  private static void write(String bootstrapServers) {
    SyntheticRequests requests = new SyntheticRequests(SyntheticFleet.of(List.of("model-a"), 4), 5);
    long startMs = System.currentTimeMillis() - AGE_MS;
    try (LogWriter writer = new LogWriter(bootstrapServers)) {
      for (int i = 0; i < EVENTS; i++) {
        Finished finished = requests.finished(i, startMs + i / EVENTS_PER_MS);
        writer.accept(
            new ProducerRecord<>(
                Topics.REQUESTS,
                0,
                finished.context().eventTimeMs(),
                finished.context().requestId().getBytes(StandardCharsets.UTF_8),
                Codecs.REQUEST_EVENT.encode(finished)));
      }
      writer.flush();
    }
  }
}
