package io.warmpath.lab.dashboards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.compose.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What holds for all recording rules and alerts. */
class RulesTest {

  private static final Path TESTS = Rule.FOLDER.resolve("tests");
  private static final Path RUNBOOK = Path.of("..", "docs", "runbook.md");

  /** At least four scrapes at the longest common interval, 60 s. */
  private static final Pattern RANGE = Pattern.compile("\\[(5m|10m|30m|1h|6h|3d)]");

  private static List<Rule> rules;

  @BeforeAll
  static void read() throws IOException {
    rules = Rule.all();
  }

  private static Stream<Rule> alerts() {
    return rules.stream().filter(rule -> rule.kind() == Rule.Kind.ALERT);
  }

  private static List<Path> tests() throws IOException {
    try (Stream<Path> files = Files.list(TESTS)) {
      return files.sorted().toList();
    }
  }

  @Test
  void passPromtool() throws Exception {
    try (Stream<Path> files = Files.list(Rule.FOLDER)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Promtool.assertPasses("check", "rules", file.toString());
      }
    }
  }

  @Test
  void areLoadedByTheConfiguration() throws Exception {
    Path config = DashboardSource.FOLDER.resolve("prometheus.yml");
    assertEquals(List.of("rules/*.yml"), Yaml.texts(Yaml.read(config).get("rule_files")));
    Promtool.assertPasses("check", "config", config.toString());
  }

  @Test
  void alertsFireAndKeepQuietAsTheirTestsSay() throws Exception {
    for (Path file : tests()) {
      Promtool.assertPasses("test", "rules", file.toString());
    }
  }

  @Test
  void eachAlertHasATestThatMakesItFireAndOneThatKeepsItQuiet() throws IOException {
    Set<String> firing = new TreeSet<>();
    Set<String> quiet = new TreeSet<>();
    List<Object> tests = new ArrayList<>();
    for (Path file : tests()) {
      tests.addAll(Yaml.list(Yaml.read(file).get("tests")));
    }
    for (Object test : tests) {
      for (Object node : Yaml.list(Yaml.map(test).get("alert_rule_test"))) {
        Map<String, Object> expected = Yaml.map(node);
        Set<String> set = Yaml.list(expected.get("exp_alerts")).isEmpty() ? quiet : firing;
        set.add((String) expected.get("alertname"));
      }
    }
    Set<String> alerts = alerts().map(Rule::name).collect(Collectors.toCollection(TreeSet::new));
    assertEquals(alerts, firing);
    assertEquals(alerts, quiet);
  }

  @Test
  void eachAlertSaysWhatHappenedAndWhereToReadOn() throws IOException {
    Set<String> sections =
        Files.readAllLines(RUNBOOK).stream()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3).toLowerCase(Locale.ROOT))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> linked = new TreeSet<>();
    alerts()
        .forEach(
            alert -> {
              assertTrue(Set.of("page", "ticket").contains(alert.severity()), alert.name());
              String summary = (String) alert.annotations().get("summary");
              assertTrue(summary.length() > 20, alert.name());
              String link = (String) alert.annotations().get("runbook_url");
              assertEquals("docs/runbook.md#" + alert.name().toLowerCase(Locale.ROOT), link);
              linked.add(link.substring(link.indexOf('#') + 1));
            });
    assertEquals(linked, sections);
  }

  @Test
  void rangesHoldSeveralScrapes() {
    for (Rule rule : rules) {
      Pattern.compile("\\[[^]]*]")
          .matcher(rule.expression())
          .results()
          .forEach(range -> assertTrue(RANGE.matcher(range.group()).matches(), rule.name()));
    }
  }

  @Test
  void percentilesAreNeverAveraged() {
    rules.forEach(rule -> assertFalse(rule.expression().contains("quantile="), rule.name()));
  }

  @Test
  void askOnlyForWhatIsExportedOrRecorded() throws IOException {
    List<ExportedMetric> known = new ArrayList<>();
    ExportedMetrics.byPart().values().forEach(known::addAll);
    Set<String> names = new HashSet<>();
    for (Rule rule : rules) {
      assertTrue(names.add(rule.name()), rule.name());
      if (rule.kind() == Rule.Kind.SERIES) {
        assertTrue(rule.name().startsWith("model:"), rule.name());
        known.add(new ExportedMetric(rule.name(), "gauge", "ratio", List.of("model"), ""));
      }
    }
    rules.forEach(rule -> ExpressionCheck.assertExported(rule.expression(), known));
  }

  @Test
  void anAlertWithoutItsComparisonIsAValue() {
    alerts()
        .map(alert -> PromQl.withoutComparisons(alert.expression()))
        .forEach(value -> assertFalse(value.matches("(?s).*[<>].*"), value));
  }
}
