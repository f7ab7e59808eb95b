package io.warmpath.lab.dashboards;

import io.warmpath.lab.compose.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A dashboard as its file in {@code dashboards/source} says it.
 *
 * @param uid id that links use
 * @param title heading
 * @param about what it is for
 * @param variables those that its queries use, and those that these depend on
 * @param rows its rows of panels
 * @param colours colour of a series, by its name
 */
record DashboardSource(
    String uid,
    String title,
    String about,
    List<Variable> variables,
    List<Row> rows,
    Map<String, String> colours) {

  /** Panels under a heading. */
  record Row(String title, List<Panel> panels) {}

  /** The project's dashboards. */
  static final Path FOLDER = Path.of("..", "dashboards");

  private static final Path SOURCES = FOLDER.resolve("source");
  private static final String SHARED = "shared.yaml";
  private static final Pattern SELECTOR = Pattern.compile("<([a-z]+)>");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z][a-z_]*)");
  private static final Set<String> PANEL_KEYS =
      Set.of(
          "title",
          "about",
          "show",
          "unit",
          "width",
          "empty",
          "below_zero",
          "expr",
          "legend",
          "queries");

  /** All dashboards, by the names of their files. */
  static List<DashboardSource> all() throws IOException {
    Map<String, Object> shared = Yaml.read(SOURCES.resolve(SHARED));
    List<DashboardSource> dashboards = new ArrayList<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.filter(path -> !path.endsWith(SHARED)).sorted().toList()) {
        dashboards.add(read(file, shared));
      }
    }
    return dashboards;
  }

  private static DashboardSource read(Path file, Map<String, Object> shared) throws IOException {
    Map<String, Object> dashboard = Yaml.read(file);
    Map<String, Object> selectors = Yaml.map(shared.get("selectors"));
    List<Row> rows = new ArrayList<>();
    for (Object row : Yaml.list(dashboard.get("rows"))) {
      List<Panel> panels = new ArrayList<>();
      for (Object panel : Yaml.list(Yaml.map(row).get("panels"))) {
        panels.add(panel(Yaml.map(panel), selectors));
      }
      rows.add(new Row(text(Yaml.map(row), "title"), panels));
    }
    Map<String, String> colours = new LinkedHashMap<>();
    Yaml.map(shared.get("colours")).forEach((name, colour) -> colours.put(name, (String) colour));
    return new DashboardSource(
        text(dashboard, "uid"),
        text(dashboard, "title"),
        text(dashboard, "about"),
        used(variables(Yaml.map(shared.get("variables"))), rows),
        rows,
        colours);
  }

  private static Panel panel(Map<String, Object> panel, Map<String, Object> selectors) {
    for (String key : panel.keySet()) {
      if (!PANEL_KEYS.contains(key)) {
        throw new IllegalArgumentException(key + " of " + panel.get("title") + " is unknown");
      }
    }
    List<Query> queries = new ArrayList<>();
    if (panel.containsKey("expr")) {
      queries.add(query(panel, selectors));
    }
    Yaml.list(panel.get("queries"))
        .forEach(query -> queries.add(query(Yaml.map(query), selectors)));
    Panel.Show show =
        Panel.Show.valueOf(((String) panel.getOrDefault("show", "lines")).toUpperCase(Locale.ROOT));
    return new Panel(
        text(panel, "title"),
        text(panel, "about"),
        show,
        text(panel, "unit"),
        (Integer) panel.getOrDefault("width", show == Panel.Show.STAT ? 4 : 8),
        (String) panel.getOrDefault("empty", "no traffic"),
        panel.containsKey("below_zero") ? Panel.Range.SIGNED : Panel.Range.NOT_NEGATIVE,
        queries);
  }

  private static Query query(Map<String, Object> query, Map<String, Object> selectors) {
    String expression =
        SELECTOR
            .matcher(text(query, "expr"))
            .replaceAll(name -> Matcher.quoteReplacement(selector(selectors, name)));
    return new Query(expression, text(query, "legend"));
  }

  private static String selector(Map<String, Object> selectors, MatchResult name) {
    return text(selectors, name.group(1));
  }

  private static String text(Map<String, Object> map, String key) {
    if (!(map.get(key) instanceof String value)) {
      throw new IllegalArgumentException("there is no text " + key + " in " + map);
    }
    return value;
  }

  private static List<Variable> variables(Map<String, Object> shared) {
    List<Variable> variables = new ArrayList<>();
    shared.forEach(
        (name, node) -> {
          Map<String, Object> variable = Yaml.map(node);
          variables.add(
              new Variable(
                  name,
                  text(variable, "label"),
                  (String) variable.get("query"),
                  Yaml.texts(variable.get("values")),
                  Boolean.TRUE.equals(variable.get("many")),
                  (String) variable.get("preferred")));
        });
    return variables;
  }

  /** A variable that depends on another one stands after it. */
  private static List<Variable> used(List<Variable> all, List<Row> rows) {
    Set<String> names = new HashSet<>(Set.of(Variable.DATA_SOURCE));
    rows.stream()
        .flatMap(row -> row.panels().stream())
        .flatMap(panel -> panel.queries().stream())
        .forEach(query -> names.addAll(variablesIn(query.expression())));
    List<Variable> used = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0; i--) {
      Variable variable = all.get(i);
      if (names.contains(variable.name())) {
        used.add(0, variable);
        if (variable.query() != null) {
          names.addAll(variablesIn(variable.query()));
        }
      }
    }
    return used;
  }

  /** Names of the variables of an expression, without those that Grafana itself has. */
  static Set<String> variablesIn(String expression) {
    Set<String> names = new TreeSet<>();
    VARIABLE.matcher(expression).results().forEach(match -> names.add(match.group(1)));
    return names;
  }

  /** All panels, row by row. */
  List<Panel> panels() {
    return rows.stream().flatMap(row -> row.panels().stream()).toList();
  }
}
