package io.warmpath.lab.dashboards;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Holds an expression against what there is to ask for. */
final class ExpressionCheck {

  /** Labels that Prometheus and its configuration give to all series. */
  private static final Set<String> OF_TARGETS = Set.of("job", "instance", "replica", "le");

  private ExpressionCheck() {}

  /** Fails if the expression asks for a metric, or for a label of it, that nothing exports. */
  static void assertExported(String expression, List<ExportedMetric> exported) {
    Set<String> metrics = PromQl.metrics(expression);
    assertFalse(metrics.isEmpty(), expression);
    for (String metric : metrics) {
      List<ExportedMetric> found = exported.stream().filter(each -> each.has(metric)).toList();
      assertFalse(found.isEmpty(), () -> metric + " is not exported: " + expression);
      Set<String> labels =
          found.stream().flatMap(each -> each.labels().stream()).collect(Collectors.toSet());
      for (String label : PromQl.labels(expression, metric)) {
        assertTrue(
            labels.contains(label) || OF_TARGETS.contains(label),
            () -> metric + " has no label " + label + ": " + expression);
      }
    }
  }
}
