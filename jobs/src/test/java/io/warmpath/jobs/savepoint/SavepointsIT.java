package io.warmpath.jobs.savepoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.testing.Broker;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every savepoint that a release left, restored by the jobs of today: what they make of the rest of
 * its input is what they make of it in one go.
 *
 * <p>To keep the savepoints of a release, run this test with {@code -Dsavepoints.write=VERSION} and
 * commit what it writes. An older one is never written again.
 */
class SavepointsIT {

  private static final Path KEPT = Path.of("src/test/resources/savepoints");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private Path folder;

  /** A savepoint of a job, and the input that it is a savepoint of. */
  record Saved(SavedJob job, Path place) {

    @Override
    public String toString() {
      return KEPT.relativize(place).toString();
    }

    Path input() {
      return place.resolve("input.jsonl.gz");
    }

    Path savepoint() {
      return place.resolve("savepoint");
    }
  }

  @BeforeAll
  static void keepThoseOfARelease(@TempDir Path folder) throws Exception {
    String version = System.getProperty("savepoints.write");
    if (version != null) {
      for (SavedJob job : SavedJob.values()) {
        Saved saved = new Saved(job, KEPT.resolve(version).resolve(job.folder()));
        assertFalse(Files.exists(saved.place()), saved + " is there already");
        keep(saved, folder.resolve(job.folder()));
      }
    }
  }

  static List<Saved> saved() throws IOException {
    try (Stream<Path> versions = Files.list(KEPT)) {
      return versions
          .sorted()
          .flatMap(
              version ->
                  Arrays.stream(SavedJob.values())
                      .map(job -> new Saved(job, version.resolve(job.folder()))))
          .filter(saved -> Files.exists(saved.place()))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("saved")
  void goesOnWhereAReleaseStopped(Saved saved) throws Exception {
    SavedJob job = saved.job();
    List<LoggedRecord> input = LoggedRecord.read(saved.input());
    Predicate<ConsumerRecord<byte[], byte[]>> isLast = result -> job.isLast(result, input);
    Map<String, String> inOneGo;
    Map<String, String> restored;
    try (Broker broker = broker(folder.resolve("whole"), input)) {
      JobClient running = start(job, broker, null);
      inOneGo = results(job, broker, isLast);
      running.cancel().get(30, TimeUnit.SECONDS);
    }
    try (Broker broker = broker(folder.resolve("rest"), input)) {
      JobClient running = start(job, broker, saved.savepoint());
      restored = results(job, broker, isLast);
      running.cancel().get(30, TimeUnit.SECONDS);
    }

    restored.forEach((key, result) -> assertEquals(inOneGo.get(key), result, key));
    // The savepoint was taken after the first results and long before the last.
    assertTrue(restored.size() < inOneGo.size(), "began from the beginning");
    assertTrue(restored.size() > inOneGo.size() / 5, "only " + restored.size() + " results");
  }

  private static void keep(Saved saved, Path folder) throws Exception {
    List<LoggedRecord> input = saved.job().newInput();
    Files.createDirectories(saved.place());
    LoggedRecord.write(saved.input(), input);
    List<LoggedRecord> half = input.subList(0, input.size() / 2);
    try (Broker broker = broker(folder.resolve("kafka"), half)) {
      JobClient running = start(saved.job(), broker, null);
      broker.readUntil(saved.job().output(), PATIENCE, result -> true);
      String savepoint =
          running
              .stopWithSavepoint(
                  false, folder.resolve("taken").toUri().toString(), SavepointFormatType.CANONICAL)
              .get(60, TimeUnit.SECONDS);
      Files.createDirectories(saved.savepoint());
      // All state is so small that it lies in this one file.
      Files.copy(
          Path.of(URI.create(savepoint)).resolve("_metadata"),
          saved.savepoint().resolve("_metadata"));
    }
  }

  private static Broker broker(Path folder, List<LoggedRecord> input) throws Exception {
    Broker broker = new Broker(Files.createDirectories(folder));
    broker.createTopic(Topics.REQUESTS, 3);
    broker.createTopic(Topics.CACHE_EVENTS, 3);
    broker.createTopic(Topics.REPLICA_TELEMETRY, 3);
    for (String topic :
        List.of(
            Topics.ROUTING_STATS,
            Topics.ROUTING_WEIGHTS,
            Topics.WEIGHT_DECISIONS,
            Topics.SHADOW_STATS,
            Topics.DEAD_LETTERS)) {
      broker.createTopic(topic, 1);
    }
    for (LoggedRecord record : input) {
      broker.send(record.topic(), record.partition(), record.timestampMs(), record.bytes());
    }
    broker.flush();
    return broker;
  }

  private static JobClient start(SavedJob job, Broker broker, Path savepoint) throws Exception {
    Configuration settings = new Configuration();
    settings.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.parse("1mb"));
    if (savepoint != null) {
      settings.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
    }
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, settings);
    job.attach(env, broker.bootstrapServers());
    return env.executeAsync(job.folder());
  }

  /** The last result under each key, when all is there. */
  private static Map<String, String> results(
      SavedJob job, Broker broker, Predicate<ConsumerRecord<byte[], byte[]>> isLast) {
    Map<String, String> results = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> result : broker.readUntil(job.output(), PATIENCE, isLast)) {
      if (!isLast.test(result)) {
        results.put(job.keyOf(result), new String(result.value(), StandardCharsets.UTF_8));
      }
    }
    return results;
  }
}
