package io.warmpath.replica.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.realtime.EngineSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class ReplicaMetricsTest {

  private final ReplicaMetrics metrics =
      new ReplicaMetrics("my \"model\"", EngineProfile.load("founding").withKvBlocks(200));

  @Test
  void figuresStandUnderTheirNames() {
    metrics.onFirstToken(100, 48, 90_000);
    metrics.onNextToken(14_000);
    metrics.onFinished("length", 104_000);
    metrics.onAborted();
    String page = page();
    assertLine(page, "vllm:num_requests_running{model_name=\"my \\\"model\\\"\"} 3.0");
    assertLine(page, "vllm:kv_cache_usage_perc{model_name=\"my \\\"model\\\"\"} 0.25");
    assertLine(page, "vllm:prefix_cache_queries_total{model_name=\"my \\\"model\\\"\"} 100.0");
    assertLine(page, "vllm:generation_tokens_total{model_name=\"my \\\"model\\\"\"} 2.0");
    String ttft = "vllm:time_to_first_token_seconds";
    assertLine(page, ttft + "_bucket{le=\"0.08\",model_name=\"my \\\"model\\\"\"} 0.0");
    assertLine(page, ttft + "_bucket{le=\"0.1\",model_name=\"my \\\"model\\\"\"} 1.0");
    assertLine(page, ttft + "_bucket{le=\"+Inf\",model_name=\"my \\\"model\\\"\"} 1.0");
    assertLine(page, ttft + "_sum{model_name=\"my \\\"model\\\"\"} 0.09");
  }

  @Test
  void everySeriesHasAType() {
    Map<String, String> types = types(page());
    page()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(0, line.indexOf('{')))
        .map(name -> name.replaceFirst("_(bucket|count|sum)$", ""))
        .forEach(name -> assertTrue(types.containsKey(name), name));
  }

  @Test
  void namesAndTypesAreThoseOfVllm() throws IOException {
    Path dump = Path.of("../../shared/data/metrics/vllm_v1_datadog_fixture_subset.prom");
    Assumptions.assumeTrue(Files.exists(dump), "no shared data beside the checkout");
    Map<String, String> theirs = types(Files.readString(dump));
    Map<String, String> ours = types(page());
    Set<String> common = new TreeSet<>(ours.keySet());
    common.retainAll(theirs.keySet());
    for (String name : common) {
      assertEquals(theirs.get(name), ours.get(name), name);
    }
    Stream.of(
            "vllm:num_requests_running",
            "vllm:num_requests_waiting",
            "vllm:kv_cache_usage_perc",
            "vllm:prefix_cache_queries_total",
            "vllm:prefix_cache_hits_total",
            "vllm:prompt_tokens_total",
            "vllm:generation_tokens_total",
            "vllm:time_to_first_token_seconds",
            "vllm:request_success_total")
        .forEach(name -> assertTrue(common.contains(name), name));
  }

  private String page() {
    return metrics.page(new EngineSnapshot(3, 1, 50, 100, 48, 0), 0);
  }

  private static Map<String, String> types(String page) {
    Map<String, String> types = new TreeMap<>();
    page.lines()
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.split(" "))
        .forEach(words -> types.put(words[2], words[3]));
    return types;
  }

  private static void assertLine(String page, String line) {
    assertTrue(page.lines().anyMatch(line::equals), line + " is not in\n" + page);
  }
}
