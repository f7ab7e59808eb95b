package io.warmpath.replica.metrics;

import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.realtime.EngineSnapshot;

/**
 * The replica's {@code /metrics}: names, types and labels of vLLM's V1 engine, so that its
 * dashboards and scrapers work. Durations are in model time. Used by the server's event loop only.
 */
public final class ReplicaMetrics {

  private static final double US_PER_SECOND = 1e6;

  private final String labels;
  private final String configLabels;
  private final int totalBlocks;
  private final Histogram timeToFirstToken =
      new Histogram(
          0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20,
          40, 80, 160, 640, 2560);
  private final Histogram interTokenLatency =
      new Histogram(
          0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40,
          80);
  private final Histogram endToEnd =
      new Histogram(
          0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920,
          7680);
  private long promptTokens;
  private long cachedPromptTokens;
  private long generationTokens;
  private long stopped;
  private long cutByLength;
  private long aborted;

  /** What the engine had counted when it was started. */
  private EngineSnapshot start = EngineSnapshot.NOTHING;

  /** All at 0. */
  public ReplicaMetrics(String model, EngineProfile profile) {
    labels = "model_name=\"" + escaped(model) + '"';
    totalBlocks = profile.kvBlocks();
    configLabels =
        "block_size=\""
            + profile.blockTokens()
            + "\",enable_prefix_caching=\"True\",num_gpu_blocks=\""
            + totalBlocks
            + '"';
  }

  /** A prompt was computed. */
  public void onFirstToken(int prompt, int cached, long ttftUs) {
    promptTokens += prompt;
    cachedPromptTokens += cached;
    timeToFirstToken.observe(ttftUs / US_PER_SECOND);
    generationTokens++;
  }

  /** A token after the first one was generated, so long after the one before. */
  public void onNextToken(long sinceLastUs) {
    interTokenLatency.observe(sinceLastUs / US_PER_SECOND);
    generationTokens++;
  }

  /** A request ended, and its client got all of it. */
  public void onFinished(String reason, long e2eUs) {
    if (reason.equals("stop")) {
      stopped++;
    } else {
      cutByLength++;
    }
    endToEnd.observe(e2eUs / US_PER_SECOND);
  }

  /** A client left before the end. */
  public void onAborted() {
    aborted++;
  }

  /** Begins at 0 again, as those of a new process do. */
  public void restart(EngineSnapshot engine) {
    start = engine;
    timeToFirstToken.clear();
    interTokenLatency.clear();
    endToEnd.clear();
    promptTokens = 0;
    cachedPromptTokens = 0;
    generationTokens = 0;
    stopped = 0;
    cutByLength = 0;
    aborted = 0;
  }

  /** The page, in Prometheus' text format. */
  public String page(EngineSnapshot engine, long eventsDropped) {
    StringBuilder page = new StringBuilder(8192);
    gauge(page, "num_requests_running", "Number of requests in the batch.", engine.running());
    gauge(page, "num_requests_waiting", "Number of requests that wait.", engine.waiting());
    gauge(
        page,
        "kv_cache_usage_perc",
        "KV-cache usage. 1 means 100 percent usage.",
        (double) engine.usedBlocks() / totalBlocks);
    long queriedTokens = engine.queriedTokens() - start.queriedTokens();
    long hitTokens = engine.hitTokens() - start.hitTokens();
    counter(page, "prefix_cache_queries_total", "Queried tokens.", queriedTokens);
    counter(page, "prefix_cache_hits_total", "Cached tokens.", hitTokens);
    long preemptions = engine.preemptions() - start.preemptions();
    counter(page, "num_preemptions_total", "Preemptions.", preemptions);
    counter(page, "prompt_tokens_total", "Prompt tokens, cached or not.", promptTokens);
    counter(page, "prompt_tokens_cached_total", "Cached prompt tokens.", cachedPromptTokens);
    counter(page, "generation_tokens_total", "Generated tokens.", generationTokens);
    finished(page);
    histogram(page, "time_to_first_token_seconds", timeToFirstToken);
    histogram(page, "inter_token_latency_seconds", interTokenLatency);
    histogram(page, "e2e_request_latency_seconds", endToEnd);
    header(page, "vllm:cache_config_info", "gauge", "Configuration of the cache.");
    page.append("vllm:cache_config_info{").append(configLabels).append("} 1.0\n");
    header(
        page,
        "warmpath_replica_events_dropped_total",
        "counter",
        "Cache-event and telemetry records that did not reach Kafka.");
    page.append("warmpath_replica_events_dropped_total{").append(labels).append("} ");
    page.append(eventsDropped).append('\n');
    return page.toString();
  }

  private void finished(StringBuilder page) {
    header(page, "vllm:request_success_total", "counter", "Requests by how they ended.");
    finished(page, "stop", stopped);
    finished(page, "length", cutByLength);
    finished(page, "abort", aborted);
  }

  private void finished(StringBuilder page, String reason, long count) {
    page.append("vllm:request_success_total{finished_reason=\"").append(reason).append("\",");
    page.append(labels).append("} ").append(count).append(".0\n");
  }

  private void gauge(StringBuilder page, String name, String help, double value) {
    header(page, "vllm:" + name, "gauge", help);
    series(page, name, value);
  }

  private void counter(StringBuilder page, String name, String help, long value) {
    header(page, "vllm:" + name, "counter", help);
    series(page, name, value);
  }

  private void histogram(StringBuilder page, String name, Histogram histogram) {
    header(page, "vllm:" + name, "histogram", "Histogram in seconds of model time.");
    histogram.write("vllm:" + name, labels, page);
  }

  private void series(StringBuilder page, String name, double value) {
    page.append("vllm:").append(name).append('{').append(labels).append("} ").append(value);
    page.append('\n');
  }

  private static void header(StringBuilder page, String name, String type, String help) {
    page.append("# HELP ").append(name).append(' ').append(help).append('\n');
    page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
