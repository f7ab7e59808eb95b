package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowComparisonTest {

  private static final long T = 1_796_083_200_000L;
  private static final Edges ALL = edges(new TreeMap<>(), Map.of());

  @TempDir private Path folder;

  private final List<Map<String, String>> valuesBySource =
      List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  private static Edges edges(
      NavigableMap<Long, Long> keptFromMsByTime, Map<String, TreeSet<Long>> lossMsByModel) {
    return new Edges(T, T + 600_000, T + 600_000, T, T + 600_000, keptFromMsByTime, lossMsByModel);
  }

  private static String key(String policy, String replica, int endSeconds) {
    return "m|" + policy + "|" + replica + "|10000|" + (T + endSeconds * 1_000L);
  }

  private void publish(String key, String value) {
    valuesBySource.get(0).put(key, value);
  }

  private void replay(String key, String value) {
    valuesBySource.get(1).put(key, value);
    valuesBySource.get(2).put(key, value);
  }

  private Findings compare(Edges edges, String... provisional) throws IOException {
    try (FinalRecords rows = new FinalRecords(valuesBySource.size())) {
      for (int source = 0; source < valuesBySource.size(); source++) {
        Path files = Files.createDirectories(folder.resolve("source-" + source));
        try (RecordFile.Writer out = new RecordFile.Writer(files.resolve("records"))) {
          for (Map.Entry<String, String> each : valuesBySource.get(source).entrySet()) {
            out.write(each.getKey(), each.getValue().getBytes(StandardCharsets.UTF_8));
          }
        }
        rows.add(source, files);
      }
      return new RowComparison(rows, List.of("published", "one", "two"), Set.of(provisional), edges)
          .run();
    }
  }

  private static void assertOnly(Reason reason, Findings findings) {
    assertEquals(0, findings.withLive().compared());
    assertEquals(
        List.of(reason), findings.undetermined().stream().map(Undetermined::reason).toList());
  }

  @Test
  void equalRowsAreCompared() throws IOException {
    publish(key("*", "*", 100), "{\"ok\":1}");
    replay(key("*", "*", 100), "{\"ok\":1}");

    Findings findings = compare(ALL);

    assertEquals(new Findings.Tally(1, 0), findings.withLive());
    assertEquals(new Findings.Tally(1, 0), findings.betweenReplays());
  }

  @Test
  void theSameValuesInOtherBytesAreADifference() throws IOException {
    publish(key("*", "*", 100), "{\"ok\": 1}");
    replay(key("*", "*", 100), "{\"ok\":1}");

    Difference difference = compare(ALL).differences().get(0);

    assertEquals("the same values", difference.oneValue());
    assertEquals("in other bytes", difference.otherValue());
  }

  @Test
  void aRowThatOnlyOneSideHasIsADifference() throws IOException {
    publish(key("*", "a", 100), "{}");
    replay(key("*", "b", 100), "{}");

    assertEquals(new Findings.Tally(2, 2), compare(ALL).withLive());
  }

  @Test
  void replaysAreComparedEvenWhereTheLogIsNotEnough() throws IOException {
    publish(key("*", "*", 5), "{\"ok\":1}");
    replay(key("*", "*", 5), "{\"ok\":2}");
    valuesBySource.get(2).put(key("*", "*", 5), "{\"ok\":3}");

    Findings findings = compare(ALL);

    assertOnly(Reason.LOG_BEGINS, findings);
    assertEquals(new Findings.Tally(1, 1), findings.betweenReplays());
  }

  @Test
  void aKeyWithoutFinalRecordIsListed() throws IOException {
    replay(key("*", "*", 100), "{}");

    assertOnly(Reason.NO_FINAL_RECORD, compare(ALL, key("*", "*", 100)));
    assertEquals(new Findings.Tally(1, 1), compare(ALL).withLive());
  }

  @Test
  void aWindowThatAnEventCameToAfterRetentionIsListed() throws IOException {
    replay(key("*", "a", 100), "{}");
    publish(key("*", "a", 110), "{}");
    replay(key("*", "a", 110), "{}");

    Findings findings = compare(edges(new TreeMap<>(Map.of(T + 95_000, T + 95_000)), Map.of()));

    assertEquals(
        List.of(
            new Undetermined(
                Difference.Kind.ROW, Reason.BACK_AFTER_RETENTION, 10_000, T + 100_000, 1)),
        findings.undetermined());
    assertEquals(new Findings.Tally(1, 0), findings.withLive());
  }

  @Test
  void onlyTheTotalIsUnknownWhereABalancerLostEventsBeforeTheLog() throws IOException {
    for (String policy : List.of("*", "adaptive")) {
      publish(key(policy, "*", 100), "{\"ok\":1}");
      replay(key(policy, "*", 100), "{\"ok\":1}");
    }

    Findings findings =
        compare(edges(new TreeMap<>(), Map.of("m", new TreeSet<>(Set.of(T + 95_000)))));

    assertEquals(Reason.LOSS_UNKNOWN, findings.undetermined().get(0).reason());
    assertEquals(new Findings.Tally(1, 0), findings.withLive());
  }

  @Test
  void windowsThatAreNotClosedAreListed() throws IOException {
    publish(key("*", "*", 600), "{\"ok\":1}");
    replay(key("*", "*", 600), "{\"ok\":2}");

    Findings findings = compare(ALL);

    assertOnly(Reason.NOT_CLOSED, findings);
    assertFalse(findings.undetermined().isEmpty());
  }
}
