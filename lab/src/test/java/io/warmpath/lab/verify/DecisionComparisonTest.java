package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionComparisonTest {

  private static final long T = 1_796_083_200_000L;
  private static final long STEP_MS = 5_000;
  private static final int STEPS = 40;

  @TempDir private Path folder;

  private final Map<String, String> published = new TreeMap<>();
  private final Map<String, String> replayed = new TreeMap<>();

  private static String key(int step) {
    return new DecisionKey(T + step * STEP_MS, "m").toString();
  }

  private void decide(int steps) {
    for (int step = 0; step < steps; step++) {
      published.put(key(step), "{\"step\":" + step + "}");
      replayed.put(key(step), "{\"step\":" + step + "}");
    }
  }

  private Findings compare(boolean fromTheFirstRow) throws IOException {
    try (FinalRecords decisions = new FinalRecords(2)) {
      add(decisions, 0, published);
      add(decisions, 1, replayed);
      return new DecisionComparison(
              decisions, List.of("published", "replay"), fromTheFirstRow, Long.MAX_VALUE)
          .run(List.of());
    }
  }

  private void add(FinalRecords decisions, int source, Map<String, String> values)
      throws IOException {
    Path files = Files.createDirectories(folder.resolve("source-" + source));
    try (RecordFile.Writer out = new RecordFile.Writer(files.resolve("records"))) {
      for (Map.Entry<String, String> each : values.entrySet()) {
        out.write(each.getKey(), each.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    decisions.add(source, files);
  }

  @Test
  void everyDecisionFromTheFirstOnIsCompared() throws IOException {
    decide(STEPS);
    published.put(key(3), "{\"step\":-1}");

    assertEquals(new Findings.Tally(STEPS, 1), compare(true).withLive());
  }

  @Test
  void aDecisionThatWasNeverPublishedIsADifference() throws IOException {
    decide(STEPS);
    published.remove(key(3));

    assertEquals(new Findings.Tally(STEPS, 1), compare(true).withLive());
  }

  @Test
  void decisionsAfterTheLastPublishedOneAreListed() throws IOException {
    decide(STEPS);
    published.remove(key(STEPS - 1));

    Findings findings = compare(true);

    assertEquals(new Findings.Tally(STEPS - 1, 0), findings.withLive());
    assertEquals(Reason.NOT_DECIDED, findings.undetermined().get(0).reason());
  }

  @Test
  void withoutTheFirstRowsDecisionsAreListedUntilAMinuteWasEqual() throws IOException {
    decide(STEPS);
    published.put(key(2), "{\"step\":-1}");
    published.put(key(STEPS - 1), "{\"step\":-1}");

    Findings findings = compare(false);

    int listed = 3 + DecisionComparison.STEPS_IN_STEP;
    assertEquals(listed, findings.undetermined().size());
    assertEquals(Reason.STATE_UNKNOWN, findings.undetermined().get(0).reason());
    assertEquals(new Findings.Tally(STEPS - listed, 1), findings.withLive());
  }
}
