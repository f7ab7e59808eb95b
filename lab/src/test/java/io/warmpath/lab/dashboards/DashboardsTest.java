package io.warmpath.lab.dashboards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What holds for all dashboards. They are made from {@code dashboards/source}: with {@code
 * -Ddashboards.write=true} this test writes them in place of comparing them.
 */
class DashboardsTest {

  private static final Pattern RANGE = Pattern.compile("\\[([^]]*)]");
  private static final Pattern UNIT = Pattern.compile("reqps|cps|cpm|s|ms|bytes|percentunit|short");

  /** Aggregations and other means over series or over time. */
  private static final Pattern MEAN =
      Pattern.compile("\\b(avg|sum|min|max|quantile|stddev|avg_over_time|\\w+_over_time)\\b");

  /** Metrics whose series have roll-ups beside their parts. */
  private static final String ROLLED_UP = "window=\"$window\"";

  private static List<DashboardSource> dashboards;

  @BeforeAll
  static void read() throws IOException {
    dashboards = DashboardSource.all();
  }

  private static Stream<Panel> panels() {
    return dashboards.stream().flatMap(dashboard -> dashboard.panels().stream());
  }

  private static Stream<String> expressions() {
    return panels().flatMap(panel -> panel.queries().stream()).map(Query::expression);
  }

  @Test
  void areWhatTheirSourcesSay() throws IOException {
    Set<Path> files = new TreeSet<>();
    for (DashboardSource dashboard : dashboards) {
      Path file = DashboardSource.FOLDER.resolve(dashboard.uid() + ".json");
      files.add(file);
      String json = GrafanaDashboard.json(dashboard);
      if (Boolean.getBoolean("dashboards.write")) {
        Files.writeString(file, json);
      }
      assertEquals(json, Files.readString(file), file + " is not what its source says");
    }
    try (Stream<Path> there = Files.list(DashboardSource.FOLDER)) {
      assertEquals(
          files,
          there
              .filter(path -> path.toString().endsWith(".json"))
              .collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  @Test
  void haveIdsOfTheirOwnAndPanelsThatDoNotOverlap() throws IOException {
    Set<String> uids = new HashSet<>();
    for (DashboardSource dashboard : dashboards) {
      assertTrue(uids.add(dashboard.uid()), dashboard.uid());
      JsonNode json = new JsonMapper().readTree(GrafanaDashboard.json(dashboard));
      Set<Integer> ids = new HashSet<>();
      Set<List<Integer>> cells = new HashSet<>();
      for (JsonNode panel : json.get("panels")) {
        assertTrue(ids.add(panel.get("id").asInt()), panel.get("title").asText());
        JsonNode place = panel.get("gridPos");
        int right = place.get("x").asInt() + place.get("w").asInt();
        int bottom = place.get("y").asInt() + place.get("h").asInt();
        assertTrue(right <= 24, panel.get("title").asText());
        for (int x = place.get("x").asInt(); x < right; x++) {
          for (int y = place.get("y").asInt(); y < bottom; y++) {
            assertTrue(cells.add(List.of(x, y)), panel.get("title").asText());
          }
        }
      }
    }
  }

  @Test
  void everyPanelSaysWhatItShowsAndInWhichUnit() {
    for (DashboardSource dashboard : dashboards) {
      Set<String> titles = new HashSet<>();
      for (Panel panel : dashboard.panels()) {
        String title = dashboard.title() + ": " + panel.title();
        assertTrue(titles.add(title), title + " is there twice");
        assertTrue(panel.about().length() > 30 && panel.about().endsWith("."), title);
        assertTrue(UNIT.matcher(panel.unit()).matches(), title + " has unit " + panel.unit());
        assertFalse(panel.queries().isEmpty(), title);
      }
    }
  }

  /** Where there is none, that is said; nothing turns what is not there into 0. */
  @Test
  void noTrafficIsNotZero() {
    panels().forEach(panel -> assertTrue(panel.empty().matches("(no|none) .+"), panel.title()));
    for (DashboardSource dashboard : dashboards) {
      assertFalse(GrafanaDashboard.json(dashboard).contains("\"spanNulls\" : true"));
    }
    expressions()
        .forEach(
            expression -> {
              assertFalse(expression.matches(".*\\bor\\b.*(vector|\\* 0).*"), expression);
              assertFalse(expression.contains("absent"), expression);
            });
  }

  @Test
  void everythingFromTheConsoleIsOfTheChosenJobAndModel() {
    expressions()
        .filter(expression -> expression.contains("warmpath_"))
        .flatMap(DashboardsTest::ownSelectors)
        .forEach(
            selector ->
                assertTrue(
                    selector.contains("job=\"$job\"")
                        || selector.contains("job=\"$balancer\"")
                        || selector.startsWith("warmpath_replica_events"),
                    selector));
  }

  private static Stream<String> ownSelectors(String expression) {
    return Pattern.compile("(warmpath_\\w+)(\\{[^}]*})?")
        .matcher(expression)
        .results()
        .map(found -> found.group());
  }

  @Test
  void rangesFollowTheScrapeInterval() {
    expressions()
        .flatMap(expression -> RANGE.matcher(expression).results().map(found -> found.group(1)))
        .forEach(range -> assertEquals("$__rate_interval", range));
  }

  @Test
  void countersAreAskedForTheirRate() {
    expressions()
        .forEach(
            expression ->
                PromQl.metrics(expression).stream()
                    .filter(name -> name.matches(".*_(total|bucket|sum|count)"))
                    .forEach(
                        name ->
                            assertTrue(
                                expression.matches(".*\\b(rate|increase)\\(" + name + "\\b.*"),
                                expression)));
  }

  @Test
  void percentilesAreNeverAveraged() {
    expressions()
        .filter(
            expression ->
                expression.contains("quantile=\"") || expression.contains("_p95_bound_seconds"))
        .map(expression -> expression.replaceAll("\\{[^}]*}", ""))
        .forEach(expression -> assertFalse(MEAN.matcher(expression).find(), expression));
    expressions()
        .filter(expression -> expression.contains("_bucket"))
        .forEach(
            expression ->
                assertTrue(
                    expression.matches(
                        "histogram_quantile\\([0-9.]+, sum by\\(le(,\\w+)*\\) \\(rate\\(.*"),
                    expression));
  }

  @Test
  void rollUpsAreNotAddedToTheirParts() {
    expressions()
        .filter(expression -> expression.contains(ROLLED_UP))
        .forEach(
            expression ->
                assertTrue(
                    expression.contains("policy=\"*\"") || expression.contains("replica=\"*\""),
                    expression));
  }

  @Test
  void variablesAreDeclaredAndUsed() {
    for (DashboardSource dashboard : dashboards) {
      Set<String> declared =
          dashboard.variables().stream().map(Variable::name).collect(Collectors.toSet());
      Set<String> used = new HashSet<>(Set.of(Variable.DATA_SOURCE));
      Stream.concat(
              dashboard.panels().stream().flatMap(p -> p.queries().stream()).map(Query::expression),
              dashboard.variables().stream().map(Variable::query).filter(query -> query != null))
          .forEach(expression -> used.addAll(DashboardSource.variablesIn(expression)));
      assertEquals(declared, used, dashboard.title());
      assertTrue(declared.containsAll(Set.of("datasource", "job", "model")), dashboard.title());
    }
  }

  @Test
  void askOnlyForWhatIsExported() throws IOException {
    List<ExportedMetric> exported =
        ExportedMetrics.byPart().values().stream().flatMap(List::stream).toList();
    Stream.concat(
            expressions(),
            dashboards.stream()
                .flatMap(dashboard -> dashboard.variables().stream())
                .map(Variable::query)
                .filter(query -> query != null))
        .forEach(expression -> ExpressionCheck.assertExported(expression, exported));
  }
}
