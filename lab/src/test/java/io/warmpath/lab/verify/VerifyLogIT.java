package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.cli.CommandRun;
import io.warmpath.lab.follow.Seen;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log of 200,000 events whose jobs were killed, stopped and rescaled while they wrote, and what
 * becomes of the check when a row, and the beginning of the log, is not what it was.
 */
@TestMethodOrder(OrderAnnotation.class)
class VerifyLogIT {

  private static final int CHUNKS = 6;
  private static final long CHUNK_MS = 150_000;
  private static final double REQUESTS_PER_SECOND = 150;
  private static final long BOUND_MS = 2_000;

  @TempDir private static Path folder;

  private static LiveJobs live;
  private static LogTraffic traffic;
  private static long startedMs;

  @BeforeAll
  static void write() {
    live = new LiveJobs(2);
    startedMs = (System.currentTimeMillis() / 1000 - 3_600) * 1000;
    traffic = new LogTraffic(1, startedMs, REQUESTS_PER_SECOND, live::send);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      writeChunk();
      int parallelism = 1 + chunk % 2;
      if (chunk % 2 == 0) {
        List<String> checkpoint = live.checkpoint();
        // What is written now is lost with the jobs, and written again.
        writeChunk();
        live.killAndGoOn(checkpoint, parallelism);
      } else {
        live.stopAndGoOn(folder, parallelism);
      }
    }
    writeChunk();
  }

  private static void writeChunk() {
    long endMs = traffic.run(CHUNK_MS / 2);
    live.flush();
    live.awaitUntil(endMs - 2 * BOUND_MS);
  }

  @AfterAll
  static void stop() {
    live.close();
  }

  private static JsonNode verify(int exitCode, String... more) throws Exception {
    Path json = folder.resolve("report.json");
    List<String> args =
        new ArrayList<>(
            List.of(
                "verify-log", "--bootstrap-servers", live.servers(), "--json", json.toString()));
    args.addAll(List.of(more));
    CommandRun run = CommandRun.of(args);
    assertEquals(exitCode, run.exitCode(), run::output);
    return new ObjectMapper().readTree(json.toFile());
  }

  private static Set<String> reasons(JsonNode report) {
    Set<String> reasons = new HashSet<>();
    report.get("undetermined").forEach(each -> reasons.add(each.get("reason").textValue()));
    return reasons;
  }

  private static Collection<RoutingStats> finalRows() {
    Map<String, RoutingStats> last = new LinkedHashMap<>();
    live.rows().forEach(seen -> last.put(RecordKeys.of(seen.value()), seen.value()));
    return last.values();
  }

  @Test
  @Order(0)
  void theJobsWroteRowsAgainAfterTheyWereKilled() {
    long different = live.rows().stream().map(Seen::value).distinct().count();
    assertTrue(live.rows().size() - different > 1_000, () -> "only " + different);
  }

  @Test
  @Order(1)
  void aLogWithRestartsHasNoDifference() throws Exception {
    JsonNode report = verify(0);

    assertTrue(traffic.records() >= 200_000, () -> "only " + traffic.records() + " records");
    assertEquals(
        traffic.records(), report.get("events").longValue() + report.get("refused").longValue());
    assertEquals(0, report.at("/rows/different").longValue());
    assertEquals(0, report.at("/rows/different_replays").longValue());
    assertEquals(0, report.at("/decisions/different").longValue());
    assertTrue(report.at("/decisions/compared").longValue() > 100);
    // All but the last windows, which the late events of the log's end may change.
    assertEquals(Set.of("not_closed"), reasons(report));
    long compared = report.at("/rows/compared").longValue();
    assertTrue(report.at("/rows/undetermined").longValue() < compared / 5, report::toPrettyString);
    assertEquals(
        report.at("/rows/compared_replays").longValue(),
        compared + report.at("/rows/undetermined").longValue());
  }

  @Test
  @Order(2)
  void whereTheLogIsCutItIsListedAndTheRestIsCompared() throws Exception {
    JsonNode report = verify(0, "--parallelism", "2", "--from", Long.toString(startedMs + 300_000));

    assertEquals(Set.of("log_begins", "not_closed"), reasons(report));
    assertTrue(report.at("/rows/compared").longValue() > 1_000);
  }

  @Test
  @Order(3)
  void anEndIsKeptToAndTheRestIsCompared() throws Exception {
    JsonNode report = verify(0, "--parallelism", "2", "--to", Long.toString(startedMs + 400_000));

    assertEquals(Set.of("not_closed"), reasons(report));
    assertTrue(report.get("last_event_ms").longValue() <= startedMs + 460_000);
    assertTrue(report.at("/rows/compared").longValue() > 1_000);
  }

  @Test
  @Order(4)
  void aTamperedRowIsADifference() throws Exception {
    RoutingStats row =
        finalRows().stream()
            .filter(each -> each.isTotal() && each.windowSizeMs() == 10_000)
            .filter(each -> each.windowEndMs() > startedMs + 200_000)
            .findFirst()
            .orElseThrow();
    byte[] tampered =
        new String(Codecs.ROUTING_STATS.encode(row), StandardCharsets.UTF_8)
            .replace("\"requests\":" + row.requests(), "\"requests\":" + (row.requests() + 1))
            .getBytes(StandardCharsets.UTF_8);
    live.send(
        new ProducerRecord<>(
            Topics.ROUTING_STATS,
            partitionOf(row.model()),
            RecordKeys.of(row).getBytes(StandardCharsets.UTF_8),
            tampered));
    live.flush();
    writeChunk();

    JsonNode report = verify(1);

    assertEquals(1, report.at("/rows/different").longValue());
    JsonNode difference = report.at("/differences/0");
    assertEquals(RecordKeys.of(row), difference.get("key").textValue());
    assertEquals(row.windowEndMs(), difference.get("window_end_ms").longValue());
    assertEquals("requests", difference.get("field").textValue());
    assertEquals(Long.toString(row.requests() + 1), difference.get("one_value").textValue());
    assertEquals(Long.toString(row.requests()), difference.get("other_value").textValue());
  }

  @Test
  @Order(5)
  void whatRetentionDeletedIsListed() throws Exception {
    // Beyond the row that was tampered with.
    Map<TopicPartition, RecordsToDelete> beginning;
    try (KafkaLog log = new KafkaLog(live.clients());
        Admin admin = Admin.create(live.clients())) {
      beginning =
          log
              .at(Topics.REQUESTS, startedMs + 400_000, log.ends(Topics.REQUESTS))
              .entrySet()
              .stream()
              .collect(
                  Collectors.toMap(
                      Map.Entry::getKey, each -> RecordsToDelete.beforeOffset(each.getValue())));
      admin.deleteRecords(beginning).all().get();
    }

    JsonNode report = verify(0, "--parallelism", "2");

    assertEquals(Set.of("log_begins", "not_closed"), reasons(report));
    assertTrue(report.at("/rows/compared").longValue() > 1_000);
    assertEquals(0, report.at("/decisions/different").longValue());
  }

  private static int partitionOf(String model) {
    int hash = Utils.murmur2(model.getBytes(StandardCharsets.UTF_8));
    return Utils.toPositive(hash) % 3;
  }
}
