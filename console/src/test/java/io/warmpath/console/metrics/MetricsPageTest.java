package io.warmpath.console.metrics;

import static io.warmpath.console.SampleResults.ALL;
import static io.warmpath.console.SampleResults.MODEL;
import static io.warmpath.console.SampleResults.row;
import static io.warmpath.console.SampleResults.weights;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.console.source.ResultSource.Status;
import io.warmpath.console.state.ConsoleState;
import io.warmpath.console.state.StateLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsPageTest {

  private static final long T = 1_700_000_000_000L;
  private static final long TEN_S = 10_000;
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_][a-z0-9_]*)(\\{[a-z_]+=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\""
              + "(?:,[a-z_]+=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\")*})? -?[0-9.E-]+");

  private final ConsoleState state = new ConsoleState(StateLimits.DEFAULTS);

  private String page(long nowMs) {
    return MetricsPage.render(state, Status.READING, 3, nowMs);
  }

  private void assertHas(String line) {
    assertTrue(page(T).lines().anyMatch(line::equals), () -> line + " is not in\n" + page(T));
  }

  private void fillIn() {
    state.accept(row("adaptive", ALL, TEN_S, T, 80, 272_000), T);
    state.accept(row("adaptive", "replica-0", TEN_S, T, 80, 272_000), T);
    state.accept(row(ALL, "replica-0", TEN_S, T, 80, 272_000), T);
    state.accept(row(ALL, ALL, TEN_S, T, 80, 272_000), T);
    state.accept(row("adaptive", ALL, 60_000, T, 400, 280_000), T);
    state.accept(weights(T - 1_000, 1.1, 0.9), T);
  }

  @Test
  void givesTheContractsNamesLabelsAndBaseUnits() {
    fillIn();
    assertHas(
        "warmpath_time_to_first_token_seconds{model=\"warmpath-demo\",policy=\"adaptive\","
            + "replica=\"*\",quantile=\"0.95\",window=\"10s\"} 0.272");
    assertHas(
        "warmpath_prefix_hit_ratio{model=\"warmpath-demo\",policy=\"adaptive\","
            + "replica=\"replica-0\",window=\"10s\"} 0.6");
    assertHas(
        "warmpath_prompt_tokens{model=\"warmpath-demo\",policy=\"adaptive\",replica=\"*\","
            + "fate=\"delivered\",window=\"60s\"} 960000");
    assertHas(
        "warmpath_avoidable_tokens{model=\"warmpath-demo\",policy=\"adaptive\",replica=\"*\","
            + "window=\"60s\"} 320000");
    assertHas(
        "warmpath_requests_per_second{model=\"warmpath-demo\",policy=\"*\",replica=\"*\","
            + "window=\"10s\"} 8.0");
    assertHas("warmpath_replica_weight{model=\"warmpath-demo\",replica=\"replica-0\"} 1.1");
    assertHas("warmpath_weights_lease_remaining_seconds{model=\"warmpath-demo\"} 29.0");
    assertHas("warmpath_console_reading 1");
  }

  @Test
  void saysTheHitRateOfEachSourceAndWhatIsWrongWithThem() {
    state.accept(row(ALL, "replica-0", 300_000, T, 80, 272_000), T);

    String labels = "model=\"warmpath-demo\",policy=\"*\",replica=\"replica-0\",";
    assertHas("warmpath_source_hit_ratio{" + labels + "source=\"usage\",window=\"300s\"} 0.6");
    assertHas("warmpath_source_hit_ratio{" + labels + "source=\"counters\",window=\"300s\"} 0.6");
    assertHas("warmpath_stats_flag{" + labels + "flag=\"cache_silent\",window=\"300s\"} 0");
    assertHas("warmpath_stats_flag{" + labels + "flag=\"sources_disagree\",window=\"300s\"} 1");
    // What is unknown has no series.
    assertFalse(page(T).contains("source=\"prefill\""));
    assertFalse(page(T).contains("flag=\"index_blind\""));
  }

  @Test
  void isWellFormed() {
    fillIn();
    Set<String> declared = new HashSet<>();
    Set<String> series = new HashSet<>();
    String family = null;
    for (String line : page(T).split("\n")) {
      if (line.startsWith("# HELP ")) {
        family = line.split(" ")[2];
        assertTrue(declared.add(family), family + " is declared twice");
      } else if (line.startsWith("# TYPE ")) {
        assertEquals(family, line.split(" ")[2]);
        assertEquals(family.endsWith("_total"), line.endsWith(" counter"), line);
      } else {
        Matcher sample = SAMPLE.matcher(line);
        assertTrue(sample.matches(), line);
        assertEquals(family, sample.group(1));
        assertTrue(series.add(sample.group(1) + sample.group(2)), line + " is there twice");
      }
    }
    assertTrue(page(T).endsWith("\n"));
  }

  @Test
  void isTheSameInOpenMetricsButForItsCountersHeadsAndItsEnd() {
    fillIn();
    String open = MetricsPage.render(MetricsFormat.OPEN_METRICS, state, Status.READING, 3, T);

    assertTrue(open.endsWith("\n# EOF\n"));
    assertTrue(open.contains("# TYPE warmpath_console_records counter\n"), open);
    assertTrue(open.contains("\nwarmpath_console_records_total{"), open);
    assertEquals(
        page(T).lines().filter(line -> !line.startsWith("#")).toList(),
        open.lines().filter(line -> !line.startsWith("#")).toList());
  }

  @Test
  void isInOpenMetricsForScrapersThatTakeIt() {
    assertEquals(MetricsFormat.PROMETHEUS, MetricsFormat.of(null));
    assertEquals(MetricsFormat.PROMETHEUS, MetricsFormat.of("text/plain;version=0.0.4"));
    assertEquals(
        MetricsFormat.OPEN_METRICS,
        MetricsFormat.of("application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1"));
  }

  @Test
  void hasNoSeriesForWhatIsUnknown() {
    state.accept(row(ALL, ALL, TEN_S, T, 0, 0), T);

    String page = page(T);

    assertFalse(page.contains("NaN"), page);
    assertFalse(page.contains("warmpath_prefix_hit_ratio"), page);
    assertFalse(page.contains("warmpath_time_to_first_token_seconds"), page);
    assertFalse(page.contains("warmpath_requests_per_second"), page);
  }

  @Test
  void removesTheSeriesOfAReplicaThatHasLeft() {
    fillIn();
    assertTrue(page(T).contains("replica=\"replica-0\""));

    long expired = T + StateLimits.DEFAULTS.expiry().toMillis() + 1;
    state.accept(row(ALL, "replica-1", TEN_S, expired, 80, 272_000), expired);
    state.accept(row(ALL, ALL, TEN_S, expired, 80, 272_000), expired);

    assertFalse(page(expired).contains("replica=\"replica-0\""), page(expired));
    assertTrue(page(expired).contains("replica=\"replica-1\""));
  }

  @Test
  void withholdsWeightsWhoseLeaseHasRunOutButKeepsTheLease() {
    state.accept(weights(T, 1.1, 0.9), T);

    String page = page(T + 31_000);

    assertFalse(page.contains("warmpath_replica_weight"), page);
    assertTrue(
        page.contains("warmpath_weights_lease_remaining_seconds{model=\"warmpath-demo\"} -1.0"));
  }

  @Test
  void saysHowFarWeightsStepAndHowOftenTheyTurn() {
    double[] ofOne = {1, 1.2, 1.2, 1.5, 1.2};
    for (int i = 0; i < ofOne.length; i++) {
      state.accept(weights(T - 25_000 + i * 5_000L, ofOne[i], 1), T);
    }
    state.accept(row(ALL, ALL, TEN_S, T, 80, 272_000), T);

    // Up, held, up, down: one turn.
    assertHas("warmpath_weight_reversals{model=\"warmpath-demo\",replica=\"replica-0\"} 1");
    assertHas("warmpath_weight_reversals{model=\"warmpath-demo\",replica=\"replica-1\"} 0");
    assertHas("warmpath_weight_step_ratio{model=\"warmpath-demo\",replica=\"replica-1\"} 0.0");
    assertTrue(
        page(T).contains("warmpath_weight_largest_step_ratio{model=\"warmpath-demo\"} 0.2"),
        page(T));
    assertHas(
        "warmpath_replica_weight_reason{model=\"warmpath-demo\",replica=\"replica-0\","
            + "reason=\"steady\"} 1");
  }

  @Test
  void allItsSamplesAreOfDeclaredMetrics() {
    fillIn();
    Set<String> declared = new HashSet<>();
    MetricsPage.metrics().forEach(metric -> assertTrue(declared.add(metric.name())));
    page(T)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> assertTrue(declared.contains(line.split("[{ ]")[0]), line));
  }

  /** The window's length and the expiry after its last event, it is gone from that window. */
  @Test
  void removesAReplicaFromEachWindowSoonAfterItsLastEvent() {
    long size = 60_000;
    long lastEndMs = T + size; // The last window that holds an event of T.
    state.accept(row(ALL, "replica-0", size, lastEndMs, 1, 272_000), lastEndMs);
    long expiryMs = StateLimits.DEFAULTS.expiry().toMillis();

    assertTrue(page(lastEndMs + expiryMs).contains("replica=\"replica-0\""));
    assertFalse(page(lastEndMs + expiryMs + 1).contains("replica=\"replica-0\""));
  }

  @Test
  void escapesNames() {
    state.accept(row(MODEL, "a\"b\\c\nd", "<script>", TEN_S, T, 80, 272_000, 0.5), T);

    assertTrue(page(T).contains("policy=\"a\\\"b\\\\c\\nd\",replica=\"<script>\""), page(T));
    isWellFormed();
  }

  @Test
  void passesPromtool(@TempDir Path folder) throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    fillIn();
    Path file = Files.writeString(folder.resolve("metrics.txt"), page(T));

    Process promtool =
        new ProcessBuilder(List.of(PROMTOOL.toString(), "check", "metrics"))
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals(0, promtool.waitFor(), output);
    assertEquals("", output);
  }
}
