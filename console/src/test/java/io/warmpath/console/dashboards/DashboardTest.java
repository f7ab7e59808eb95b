package io.warmpath.console.dashboards;

import static io.warmpath.console.SampleResults.ALL;
import static io.warmpath.console.SampleResults.row;
import static io.warmpath.console.SampleResults.weights;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.console.metrics.MetricsPage;
import io.warmpath.console.source.ResultSource.Status;
import io.warmpath.console.state.ConsoleState;
import io.warmpath.console.state.StateLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The dashboard asks for what the console exports, and every panel says what it shows. */
class DashboardTest {

  private static final Path DASHBOARD = Path.of("..", "dashboards", "warmpath-overview.json");
  private static final long T = 1_700_000_000_000L;
  private static final Pattern SAMPLE = Pattern.compile("^([a-z_][a-z0-9_]*)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)(=~|!=|=)\"([^\"]*)\"");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b(warmpath_[a-z0-9_]+)\\b(?:\\{([^}]*)})?");

  private static JsonNode dashboard;

  /** Values of each label of each metric that the console exports. */
  private static Map<String, Map<String, Set<String>>> exported;

  @BeforeAll
  static void read() throws IOException {
    dashboard = new JsonMapper().readTree(DASHBOARD.toFile());
    exported = new HashMap<>();
    ConsoleState state = new ConsoleState(StateLimits.DEFAULTS);
    for (long size : new long[] {10_000, 60_000, 300_000}) {
      state.accept(row("adaptive", ALL, size, T, 80, 272_000), T);
      state.accept(row("adaptive", "replica-0", size, T, 80, 272_000), T);
      state.accept(row(ALL, "replica-0", size, T, 80, 272_000), T);
      state.accept(row(ALL, ALL, size, T, 80, 272_000), T);
    }
    state.accept(weights(T, 1.1, 0.9), T);
    for (String line : MetricsPage.render(state, Status.READING, 0, T).split("\n")) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        Map<String, Set<String>> labels =
            exported.computeIfAbsent(sample.group(1), name -> new HashMap<>());
        Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
          labels.computeIfAbsent(label.group(1), name -> new HashSet<>()).add(label.group(3));
        }
      }
    }
  }

  private static List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      if (!panel.get("type").asText().equals("row")) {
        panels.add(panel);
      }
    }
    return panels;
  }

  private static List<String> expressions() {
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : panels()) {
      panel.get("targets").forEach(target -> expressions.add(target.get("expr").asText()));
    }
    for (JsonNode variable : dashboard.at("/templating/list")) {
      if (variable.get("type").asText().equals("query")) {
        expressions.add(variable.at("/query/query").asText());
      }
    }
    return expressions;
  }

  @Test
  void asksOnlyForWhatIsExported() {
    for (String expression : expressions()) {
      Matcher selector = SELECTOR.matcher(expression);
      assertTrue(selector.find(), expression);
      do {
        Map<String, Set<String>> labels = exported.get(selector.group(1));
        assertTrue(labels != null, selector.group(1) + " is not exported");
        Matcher matcher = LABEL.matcher(selector.group(2) == null ? "" : selector.group(2));
        while (matcher.find()) {
          String where = selector.group() + " in " + expression;
          assertTrue(labels.containsKey(matcher.group(1)), where);
          boolean exact = matcher.group(2).equals("=") && !matcher.group(3).startsWith("$");
          assertTrue(!exact || labels.get(matcher.group(1)).contains(matcher.group(3)), where);
        }
      } while (selector.find());
    }
  }

  @Test
  void doesNotAveragePercentilesOrAddRollUpsToTheirParts() {
    for (String expression : expressions()) {
      assertFalse(expression.matches(".*\\b(avg|quantile|max|min)\\b.*\\(.*"), expression);
      boolean isVariable = expression.startsWith("label_values");
      boolean hasKeys = !isVariable && expression.contains("window=\"$window\"");
      assertEquals(hasKeys, !isVariable && expression.contains("policy="), expression);
      if (hasKeys) {
        assertTrue(
            expression.contains("policy=\"*\"") || expression.contains("replica=\"*\""),
            expression);
      }
    }
  }

  @Test
  void everyPanelSaysWhatItShowsAndInWhichUnit() {
    Set<String> titles = new HashSet<>();
    for (JsonNode panel : panels()) {
      String title = panel.get("title").asText();
      assertTrue(titles.add(title), title + " is there twice");
      assertTrue(panel.get("description").asText().length() > 20, title);
      JsonNode defaults = panel.at("/fieldConfig/defaults");
      assertFalse(defaults.path("unit").asText().isEmpty(), title);
      assertEquals("no traffic", defaults.path("noValue").asText(), title);
      assertEquals("${datasource}", panel.at("/datasource/uid").asText(), title);
      panel
          .get("targets")
          .forEach(
              target ->
                  assertEquals("${datasource}", target.at("/datasource/uid").asText(), title));
    }
  }

  @Test
  void variablesAreDeclaredAndUsed() {
    Set<String> declared = new HashSet<>();
    dashboard.at("/templating/list").forEach(v -> declared.add(v.get("name").asText()));
    Set<String> used = new HashSet<>(Set.of("datasource"));
    for (String expression : expressions()) {
      Matcher variable = Pattern.compile("\\$([a-z]+)").matcher(expression);
      while (variable.find()) {
        used.add(variable.group(1));
      }
    }
    assertEquals(declared, used);
  }

  @Test
  void panelsDoNotOverlap() {
    Set<List<Integer>> cells = new HashSet<>();
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertTrue(ids.add(panel.get("id").asInt()));
      JsonNode place = panel.get("gridPos");
      int right = place.get("x").asInt() + place.get("w").asInt();
      assertTrue(right <= 24, panel.get("title").asText());
      for (int x = place.get("x").asInt(); x < right; x++) {
        for (int y = place.get("y").asInt();
            y < place.get("y").asInt() + place.get("h").asInt();
            y++) {
          assertTrue(cells.add(List.of(x, y)), panel.get("title").asText());
        }
      }
    }
  }
}
