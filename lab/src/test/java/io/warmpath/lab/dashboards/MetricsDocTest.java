package io.warmpath.lab.dashboards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/metrics.md is what the parts export. With {@code -Dconfiguration.write=true} the test writes
 * the page in place of comparing it.
 */
class MetricsDocTest {

  private static final Path PAGE = Path.of("..", "docs", "metrics.md");

  private static final String HEAD =
      """
      # Metrics

      Every metric that Warmpath exports. Made from the parts themselves, see `MetricsDocTest`; what holds for all of them stands in
      [contracts.md](contracts.md#metrics).
      """;

  private static final Map<String, String> PARTS =
      Map.of(
          "console",
          """
          ## Console

          The newest results of each model from the result topics, and how the console itself is, at `/metrics` of its port, as text and as
          OpenMetrics.
          """,
          "balancer",
          """
          ## Balancer

          What a balancer measured itself, at `/metrics` of its admin port.
          """,
          "replica",
          """
          ## Replica

          The modelled and the CUDA replica have vLLM's names, at `/metrics` of their port; which replica it is says the scraper's
          label `replica`.
          """,
          "flink",
          """
          ## Flink

          Those of Flink's Prometheus reporter that the dashboards use; all others are in Flink's documentation. It exports counters
          as gauges too.
          """);

  @Test
  void thePageIsWhatIsExported() throws IOException {
    StringBuilder page = new StringBuilder(HEAD);
    ExportedMetrics.byPart()
        .forEach(
            (part, metrics) -> {
              page.append('\n').append(PARTS.get(part)).append('\n');
              page.append("| metric | type | unit | labels | meaning |\n|---|---|---|---|---|\n");
              metrics.forEach(metric -> page.append(line(metric)));
            });
    if (Boolean.getBoolean("configuration.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page.toString(), Files.readString(PAGE));
  }

  private static String line(ExportedMetric metric) {
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            metric.name(),
            metric.type(),
            metric.unit(),
            String.join(", ", metric.labels()),
            metric.help().replace("|", "\\|"));
  }

  @Test
  void eachHasAUnitAndAMeaning() throws IOException {
    ExportedMetrics.byPart().values().stream()
        .flatMap(List::stream)
        .forEach(
            metric -> {
              assertFalse(metric.unit().isBlank(), metric.name());
              assertFalse(metric.help().isBlank(), metric.name());
              // Flink's reporter and vLLM name as they do.
              if (metric.name().startsWith("warmpath_")) {
                assertEquals(
                    metric.type().equals("counter"),
                    metric.name().endsWith("_total"),
                    metric.name());
              }
            });
  }

  /** Flink's list is kept by hand: nothing in it that no dashboard and no rule asks for. */
  @Test
  void ofFlinkOnlyThoseAreListedThatAreUsed() throws IOException {
    Set<String> used = new TreeSet<>();
    for (DashboardSource dashboard : DashboardSource.all()) {
      Stream.concat(
              dashboard.panels().stream().flatMap(p -> p.queries().stream()).map(Query::expression),
              dashboard.variables().stream().map(Variable::query).filter(query -> query != null))
          .forEach(expression -> used.addAll(PromQl.metrics(expression)));
    }
    Rule.all().forEach(rule -> used.addAll(PromQl.metrics(rule.expression())));
    Set<String> listed = new TreeSet<>();
    ExportedMetrics.byPart().get("flink").forEach(metric -> listed.add(metric.name()));
    listed.removeAll(used);
    assertEquals(Set.of(), listed);
  }
}
