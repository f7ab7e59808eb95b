package io.warmpath.lab.dashboards;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.BalancerServer;
import io.warmpath.balancer.ModelConfig;
import io.warmpath.balancer.ReplicaAddress;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.console.metrics.MetricsPage;
import io.warmpath.lab.compose.Yaml;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.metrics.ReplicaMetrics;
import io.warmpath.replica.realtime.EngineSnapshot;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All metrics of all parts, as the parts themselves say. */
final class ExportedMetrics {

  private static final Pattern HELP = Pattern.compile("# HELP (\\S+) (.*)");
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (.*)");
  private static final Pattern SAMPLE = Pattern.compile("([^#{ ]+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"");
  private static final Set<String> OF_HISTOGRAMS = Set.of("le");

  /** What metrics without a base unit count, as their names say. */
  private static final List<String> COUNTED =
      List.of(
          "tokens",
          "attempts",
          "retries",
          "events",
          "blocks",
          "connections",
          "connects",
          "decisions",
          "preemptions",
          "hits",
          "reloads",
          "failures",
          "fields",
          "prompts",
          "tokenizations");

  private ExportedMetrics() {}

  /** By part, in the order of the documentation. */
  static Map<String, List<ExportedMetric>> byPart() throws IOException {
    Map<String, List<ExportedMetric>> parts = new LinkedHashMap<>();
    parts.put("console", console());
    parts.put("balancer", balancer());
    parts.put("replica", replica());
    parts.put("flink", flink());
    return parts;
  }

  private static List<ExportedMetric> console() {
    return MetricsPage.metrics().stream()
        .map(m -> new ExportedMetric(m.name(), m.type().word(), m.unit(), m.labels(), m.help()))
        .toList();
  }

  private static List<ExportedMetric> balancer() {
    List<ReplicaAddress> replicas =
        List.of(new ReplicaAddress("replica-0", URI.create("http://127.0.0.1:1")));
    try (BalancerServer balancer =
        BalancerServer.start(
            BalancerConfig.builder()
                .listen("127.0.0.1", 0)
                .admin("127.0.0.1", 0)
                .eventLoops(1)
                .model(new ModelConfig("model", TokenizerKind.QUAD, 16, replicas))
                .build())) {
      return balancer.metrics().families().stream()
          .map(
              family ->
                  new ExportedMetric(
                      family.name(),
                      family.type(),
                      unit(family.name(), family.help()),
                      family.labels(),
                      family.help()))
          .toList();
    }
  }

  private static List<ExportedMetric> replica() {
    ReplicaMetrics metrics = new ReplicaMetrics("model", EngineProfile.load("founding"));
    return page(metrics.page(EngineSnapshot.NOTHING, 0));
  }

  /** What a page in Prometheus' text format says of its metrics. */
  private static List<ExportedMetric> page(String page) {
    Map<String, String> help = new LinkedHashMap<>();
    Map<String, String> types = new LinkedHashMap<>();
    Map<String, Set<String>> labels = new LinkedHashMap<>();
    String last = null;
    for (String line : page.split("\n")) {
      Matcher helpLine = HELP.matcher(line);
      Matcher typeLine = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (helpLine.matches()) {
        last = helpLine.group(1);
        help.put(last, helpLine.group(2));
        labels.put(last, new TreeSet<>());
      } else if (typeLine.matches()) {
        types.put(typeLine.group(1), typeLine.group(2));
      } else if (sample.matches() && sample.group(2) != null) {
        Set<String> names = labels.get(last);
        LABEL.matcher(sample.group(2)).results().forEach(label -> names.add(label.group(1)));
      }
    }
    List<ExportedMetric> metrics = new ArrayList<>();
    help.forEach(
        (name, text) -> {
          Set<String> names = labels.get(name);
          names.removeAll(OF_HISTOGRAMS);
          String type = types.get(name);
          metrics.add(new ExportedMetric(name, type, unit(name, text), List.copyOf(names), text));
        });
    return metrics;
  }

  /** Those of Flink's own and of the jobs that dashboards use; a run shows that they are there. */
  private static List<ExportedMetric> flink() throws IOException {
    List<ExportedMetric> metrics = new ArrayList<>();
    Yaml.read(DashboardSource.FOLDER.resolve("flink-metrics.yaml"))
        .forEach(
            (name, node) -> {
              Map<String, Object> metric = Yaml.map(node);
              metrics.add(
                  new ExportedMetric(
                      name,
                      "gauge",
                      (String) metric.get("unit"),
                      Yaml.texts(metric.get("labels")),
                      (String) metric.get("help")));
            });
    return metrics;
  }

  /** What base-unit names and the meanings of the others say. */
  private static String unit(String name, String help) {
    if (name.contains("_seconds")) {
      return "seconds";
    }
    if (name.endsWith("_bytes")) {
      return "bytes";
    }
    if (help.matches("[01] (while|for) .*")) {
      return "0 or 1";
    }
    if (name.endsWith("_perc") || name.endsWith("_weight")) {
      return "ratio";
    }
    if (name.endsWith("_info")) {
      return "1";
    }
    if (name.endsWith("_epoch")) {
      return "milliseconds since 1970";
    }
    if (name.startsWith("vllm:prefix_cache_")) {
      return "tokens";
    }
    return COUNTED.stream().filter(name::contains).findFirst().orElse("requests");
  }
}
