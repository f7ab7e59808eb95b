package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.lab.cli.CommandRun;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.follow.Seen;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.WeightDecision;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log of 20,000 events whose jobs were killed and stopped while they read it, and what becomes of
 * the check when a row, a decision, and the beginning of the log are not what they were.
 */
@TestMethodOrder(OrderAnnotation.class)
class VerifyLogIT {

  private static final long STEP_MS = 120_000;

  @TempDir private static Path folder;

  private static RestartedLog log;

  @BeforeAll
  static void write() {
    log = new RestartedLog(folder, 25, STEP_MS);
    log.write();
    log.writeAndKill(1);
    log.stopAndGoOn(2);
    log.write();
  }

  @AfterAll
  static void stop() {
    log.close();
  }

  @Test
  @Order(0)
  void theJobsWroteRowsAgainAfterTheyWereKilled() {
    long different = log.live().rows().stream().map(Seen::value).distinct().count();
    assertTrue(log.live().rows().size() - different > 500, () -> "only " + different);
  }

  @Test
  @Order(1)
  void aLogWithRestartsHasNoDifference() throws Exception {
    JsonNode report = log.verify(0);

    assertTrue(log.records() >= 20_000, () -> "only " + log.records() + " records");
    assertEquals(
        log.records(), report.get("events").longValue() + report.get("refused").longValue());
    assertEquals(0, report.at("/differences").size());
    assertEquals(0, report.at("/rows/different_replays").longValue());
    assertTrue(report.at("/decisions/compared").longValue() > 100, report::toPrettyString);
    // All but the last windows, which the late events of the log's end may change.
    assertEquals(Set.of("not_closed"), RestartedLog.reasons(report));
    long compared = report.at("/rows/compared").longValue();
    assertTrue(report.at("/rows/undetermined").longValue() < compared / 2, report::toPrettyString);
    assertEquals(
        report.at("/rows/compared_replays").longValue(),
        compared + report.at("/rows/undetermined").longValue());
  }

  @Test
  @Order(2)
  void whatWasCutFromTheLogIsListedAndTheRestIsCompared() throws Exception {
    JsonNode report =
        log.verify(
            0,
            "--parallelism",
            "2",
            "--from",
            Long.toString(log.startMs() + STEP_MS / 4),
            "--to",
            Long.toString(log.startMs() + 5 * STEP_MS / 2));

    assertEquals(Set.of("log_begins", "not_closed"), RestartedLog.reasons(report));
    assertTrue(report.get("last_event_ms").longValue() <= log.startMs() + 5 * STEP_MS / 2 + 60_000);
    assertTrue(report.at("/rows/compared").longValue() > 200, report::toPrettyString);
  }

  @Test
  @Order(3)
  void aTamperedRowAndATamperedDecisionAreDifferences() throws Exception {
    RoutingStats row =
        finalRows().stream()
            .filter(each -> each.isTotal() && each.windowSizeMs() == 10_000)
            .filter(each -> each.windowEndMs() > log.startMs() + STEP_MS / 2)
            .findFirst()
            .orElseThrow();
    WeightDecision decision = log.live().decisions().get(20).value();
    sendTampered(
        Topics.ROUTING_STATS,
        row.model(),
        RecordKeys.of(row),
        Codecs.ROUTING_STATS.encode(row),
        "\"requests\":" + row.requests(),
        "\"requests\":" + (row.requests() + 1));
    sendTampered(
        Topics.WEIGHT_DECISIONS,
        decision.model(),
        decision.model(),
        Codecs.WEIGHT_DECISION.encode(decision),
        "\"samples\":" + decision.replicas().get(0).samples(),
        "\"samples\":1000000");
    log.write();

    JsonNode report = log.verify(1);

    assertEquals(1, report.at("/rows/different").longValue(), report::toPrettyString);
    assertDifference(
        report.at("/differences/0"),
        RecordKeys.of(row),
        row.windowEndMs(),
        "requests",
        Long.toString(row.requests() + 1),
        Long.toString(row.requests()));
    assertTrue(log.output().contains("requests = " + (row.requests() + 1)), log::output);
    assertTrue(log.output().endsWith("3 differences\n"), log::output);
    // That there are two decisions, and that the last is not what the law decides.
    assertEquals(2, report.at("/decisions/different").longValue(), report::toPrettyString);
    assertEquals("published again", report.at("/differences/1/other").textValue());
    assertDifference(
        report.at("/differences/2"),
        DecisionKey.of(decision).toString(),
        decision.epoch(),
        "replicas[0].samples",
        "1000000",
        Long.toString(decision.replicas().get(0).samples()));
  }

  private static Collection<RoutingStats> finalRows() {
    Map<String, RoutingStats> last = new LinkedHashMap<>();
    log.live().rows().forEach(seen -> last.put(RecordKeys.of(seen.value()), seen.value()));
    return last.values();
  }

  private static void sendTampered(
      String topic, String model, String key, byte[] value, String was, String becomes) {
    String text = new String(value, StandardCharsets.UTF_8);
    assertTrue(text.contains(was), text);
    log.live()
        .sendAsOf(
            model,
            topic,
            key.getBytes(StandardCharsets.UTF_8),
            text.replaceFirst(was, becomes).getBytes(StandardCharsets.UTF_8));
  }

  private static void assertDifference(
      JsonNode difference, String key, long endMs, String field, String published, String replay) {
    assertEquals(key, difference.get("key").textValue());
    assertEquals(endMs, difference.get("window_end_ms").longValue());
    assertEquals("published", difference.get("one").textValue());
    assertEquals("replay at parallelism 1", difference.get("other").textValue());
    assertEquals(field, difference.get("field").textValue());
    assertEquals(published, difference.get("one_value").textValue());
    assertEquals(replay, difference.get("other_value").textValue());
  }

  @Test
  @Order(4)
  void whatAPartitionBringsAfterRetentionIsListed() throws Exception {
    log.comeBackAfterRetention();

    JsonNode report = log.verify(1, "--parallelism", "1", "--to", Long.toString(log.lastStepMs()));

    assertEquals(Set.of("not_closed", "back_after_retention"), RestartedLog.reasons(report));
    // The one that was tampered with.
    assertEquals(1, report.at("/rows/different").longValue(), report::toPrettyString);
  }

  @Test
  void aMissingTopicIsNamed() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(0)) {
      CommandRun run =
          CommandRun.of(List.of("verify-log", "--bootstrap-servers", kafka.bootstrapServers()));

      assertEquals(2, run.exitCode(), run::output);
      assertTrue(run.output().contains("topic llm.requests does not exist at"), run::output);
    }
  }

  @Test
  @Order(5)
  void whatRetentionDeletedIsListed() throws Exception {
    // Beyond the row that was tampered with.
    Map<TopicPartition, RecordsToDelete> deleted;
    try (KafkaLog kafka = new KafkaLog(log.live().clients());
        Admin admin = Admin.create(log.live().clients())) {
      deleted =
          kafka
              .at(Topics.REQUESTS, log.startMs() + STEP_MS, kafka.ends(Topics.REQUESTS))
              .entrySet()
              .stream()
              .collect(
                  Collectors.toMap(
                      Map.Entry::getKey, each -> RecordsToDelete.beforeOffset(each.getValue())));
      admin.deleteRecords(deleted).all().get();
    }

    JsonNode report = log.verify(1, "--parallelism", "2", "--to", Long.toString(log.lastStepMs()));

    assertEquals(Set.of("log_begins", "not_closed"), RestartedLog.reasons(report));
    assertEquals(0, report.at("/rows/different").longValue(), report::toPrettyString);
    assertTrue(report.at("/rows/compared").longValue() > 200, report::toPrettyString);
  }
}
