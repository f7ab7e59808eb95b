package io.warmpath.lab.dashboards;

import io.warmpath.lab.compose.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A rule of Prometheus.
 *
 * @param name name of the alert or of the recorded series
 * @param kind what it makes
 * @param expression PromQL
 * @param severity the alert's, or null
 * @param annotations the alert's
 */
record Rule(
    String name, Kind kind, String expression, String severity, Map<String, Object> annotations) {

  /** What a rule makes. */
  enum Kind {
    ALERT,
    SERIES
  }

  static final Path FOLDER = DashboardSource.FOLDER.resolve("rules");

  /** All rules, file by file. */
  static List<Rule> all() throws IOException {
    List<Rule> rules = new ArrayList<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        for (Object group : Yaml.list(Yaml.read(file).get("groups"))) {
          Yaml.list(Yaml.map(group).get("rules")).forEach(rule -> rules.add(of(Yaml.map(rule))));
        }
      }
    }
    return rules;
  }

  private static Rule of(Map<String, Object> rule) {
    Object alert = rule.get("alert");
    return new Rule(
        (String) (alert == null ? rule.get("record") : alert),
        alert == null ? Kind.SERIES : Kind.ALERT,
        (String) rule.get("expr"),
        (String) Yaml.map(rule.get("labels")).get("severity"),
        Yaml.map(rule.get("annotations")));
  }
}
