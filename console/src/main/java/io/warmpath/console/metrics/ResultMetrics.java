package io.warmpath.console.metrics;

import io.warmpath.console.metrics.MetricsText.Type;
import io.warmpath.console.state.EventQuality;
import io.warmpath.console.state.FreshResults;
import io.warmpath.console.state.PromptFates;
import io.warmpath.console.state.WindowRow;
import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.GpuStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.StatsFlags;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.List;
import java.util.Locale;

/**
 * The windowed stats and the weights for Prometheus. Each sample is the newest window's figure,
 * labelled with the window's length; {@code *} as a policy or replica is the roll-up over all of
 * them.
 */
final class ResultMetrics {

  private static final String TTFT = "warmpath_time_to_first_token_seconds";
  private static final String TTFT_P95_BOUND = "warmpath_time_to_first_token_p95_bound_seconds";
  private static final String TTFT_SAMPLES = "warmpath_time_to_first_token_samples";
  private static final String RPS = "warmpath_requests_per_second";
  private static final String REQUESTS = "warmpath_requests";
  private static final String ATTEMPTS_FAILED_RATIO = "warmpath_attempts_failed_ratio";
  private static final String HIT_RATIO = "warmpath_prefix_hit_ratio";
  private static final String REQUEST_HIT_RATIO = "warmpath_prefix_request_hit_ratio";
  private static final String PROMPT_TOKENS = "warmpath_prompt_tokens";
  private static final String AVOIDABLE_TOKENS = "warmpath_avoidable_tokens";
  private static final String UNKNOWN_CACHED = "warmpath_requests_cached_tokens_unknown";
  private static final String EVENTS_FLAGGED = "warmpath_events_flagged";
  private static final String CACHE_EVENTS = "warmpath_cache_events";
  private static final String SOURCE_HIT_RATIO = "warmpath_source_hit_ratio";
  private static final String FLAG = "warmpath_stats_flag";
  private static final String GPU_USED = "warmpath_gpu_memory_used_bytes";
  private static final String GPU_TOTAL = "warmpath_gpu_memory_total_bytes";
  private static final String WINDOW_AGE = "warmpath_window_age_seconds";
  private static final String WEIGHT = "warmpath_replica_weight";
  private static final String SECONDS_PER_TOKEN = "warmpath_replica_seconds_per_token";
  private static final String INTERCEPT = "warmpath_replica_intercept_seconds";
  private static final String FIT_SAMPLES = "warmpath_replica_fit_samples";
  private static final String STATE = "warmpath_replica_state";
  private static final String LEASE = "warmpath_weights_lease_remaining_seconds";
  private static final String EPOCH = "warmpath_weights_epoch_timestamp_seconds";
  private static final String FROZEN = "warmpath_weights_frozen";

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final MetricsText text;
  private final long nowMs;

  ResultMetrics(MetricsText text, long nowMs) {
    this.text = text;
    this.nowMs = nowMs;
    declareTraffic();
    declarePipeline();
    declareWeights();
  }

  void write(List<FreshResults> models) {
    for (FreshResults model : models) {
      model.rows().forEach(row -> write(model.model(), row));
      if (model.weights() != null) {
        write(model.weights());
      }
    }
  }

  private void declareTraffic() {
    text.family(
        TTFT,
        Type.SUMMARY,
        "Time from the request's last byte in to its first generated token, by quantile.");
    gauge(TTFT_P95_BOUND, "Ends of the 95 % interval of the 0.95 quantile of TTFT.");
    gauge(TTFT_SAMPLES, "First tokens in the window, which the quantiles are over.");
    gauge(RPS, "Finished requests a second.");
    gauge(REQUESTS, "Finished requests in the window, by outcome.");
    gauge(ATTEMPTS_FAILED_RATIO, "Failed attempts to all attempts.");
    gauge(HIT_RATIO, "Prompt tokens delivered from a cache to all prompt tokens.");
    gauge(REQUEST_HIT_RATIO, "Requests with any token from a cache to all requests.");
    gauge(
        PROMPT_TOKENS,
        "Prompt tokens in the window by fate. All but index_under add up to prompt + index_under.");
    gauge(AVOIDABLE_TOKENS, "Prompt tokens computed although an admissible replica held them.");
    gauge(UNKNOWN_CACHED, "Requests whose engine did not say how much came from its cache.");
  }

  private void declarePipeline() {
    gauge(EVENTS_FLAGGED, "Events of the window that were late, dropped, and so on.");
    gauge(CACHE_EVENTS, "Cache events of the window, by kind.");
    gauge(SOURCE_HIT_RATIO, "Token hit rate by usage, prefill events and engines' counters.");
    gauge(FLAG, "1 where something is wrong with the window's figures, 0 where it is not.");
    gauge(GPU_USED, "GPU memory in use, as replicas report it.");
    gauge(GPU_TOTAL, "GPU memory there is, as replicas report it.");
    gauge(WINDOW_AGE, "Time since the end of the newest window of each length.");
  }

  private void declareWeights() {
    gauge(WEIGHT, "Published weight of the replica, relative to a mean of 1. Gone with the lease.");
    gauge(SECONDS_PER_TOKEN, "Learned prefill time a token that is not in the cache.");
    gauge(INTERCEPT, "Learned time to first token that no token explains.");
    gauge(FIT_SAMPLES, "Requests behind the learned speed.");
    gauge(STATE, "1 for the state that the control law has the replica in, 0 for the others.");
    gauge(LEASE, "Time left of the weights' lease; negative once it has run out.");
    gauge(EPOCH, "End of the window that decided the weights.");
    gauge(FROZEN, "1 while weights are held as they were, else 0.");
  }

  private void gauge(String name, String help) {
    text.family(name, Type.GAUGE, help);
  }

  private void write(String model, WindowRow row) {
    Series series = new Series(model, row);
    writeLatency(series, row.ttft());
    if (row.attempts() + row.requests() > 0) {
      series.sample(RPS, row.rps());
      series.sample(REQUESTS, row.ok(), "outcome", "ok");
      series.sample(REQUESTS, row.failed(), "outcome", "failed");
      series.sample(REQUESTS, row.aborted(), "outcome", "aborted");
      series.sample(REQUESTS, row.rejected(), "outcome", "rejected");
      series.sample(UNKNOWN_CACHED, row.unknownCachedRequests());
    }
    if (row.attempts() > 0) {
      series.sample(ATTEMPTS_FAILED_RATIO, (double) row.attemptsFailed() / row.attempts());
    }
    series.sample(HIT_RATIO, row.tokenHitRate());
    series.sample(REQUEST_HIT_RATIO, row.requestHitRate());
    if (row.promptTokens() > 0) {
      writeFates(series, row.fates());
      series.sample(AVOIDABLE_TOKENS, row.avoidableTokens());
    }
    writePipeline(series, row);
  }

  private static void writeLatency(Series series, Distribution ttft) {
    series.sample(TTFT, seconds(ttft.p50Us()), "quantile", "0.5");
    series.sample(TTFT, seconds(ttft.p90Us()), "quantile", "0.9");
    series.sample(TTFT, seconds(ttft.p95Us()), "quantile", "0.95");
    series.sample(TTFT, seconds(ttft.p99Us()), "quantile", "0.99");
    series.sample(TTFT_P95_BOUND, seconds(ttft.p95LowUs()), "bound", "low");
    series.sample(TTFT_P95_BOUND, seconds(ttft.p95HighUs()), "bound", "high");
    series.sample(TTFT_SAMPLES, ttft.count());
  }

  private static void writeFates(Series series, PromptFates fates) {
    series.sample(PROMPT_TOKENS, fates.delivered(), "fate", "delivered");
    series.sample(PROMPT_TOKENS, fates.indexOver(), "fate", "index_over");
    series.sample(PROMPT_TOKENS, fates.indexUnder(), "fate", "index_under");
    series.sample(PROMPT_TOKENS, fates.routing(), "fate", "routing");
    series.sample(PROMPT_TOKENS, fates.loadJustified(), "fate", "load_justified");
    series.sample(PROMPT_TOKENS, fates.capacity(), "fate", "capacity");
    series.sample(PROMPT_TOKENS, fates.neverSeen(), "fate", "never_seen");
  }

  private void writePipeline(Series series, WindowRow row) {
    if (row.policy().equals(row.replica())) {
      EventQuality quality = row.quality();
      series.sample(EVENTS_FLAGGED, quality.late(), "flag", "late");
      series.sample(EVENTS_FLAGGED, quality.dropped(), "flag", "dropped");
      series.sample(EVENTS_FLAGGED, quality.skewed(), "flag", "skewed");
      series.sample(EVENTS_FLAGGED, quality.duplicates(), "flag", "duplicate");
      series.sample(EVENTS_FLAGGED, quality.lostAtBalancer(), "flag", "lost_at_balancer");
      text.sample(
          WINDOW_AGE,
          (nowMs - row.windowEndMs()) / MILLIS_PER_SECOND,
          "model",
          series.model,
          "window",
          series.window);
    }
    CacheStats cache = row.cache();
    if (cache != null) {
      series.sample(CACHE_EVENTS, cache.storedBlocks(), "kind", "stored_blocks");
      series.sample(CACHE_EVENTS, cache.removedBlocks(), "kind", "removed_blocks");
      series.sample(CACHE_EVENTS, cache.clears(), "kind", "clears");
      series.sample(CACHE_EVENTS, cache.gaps(), "kind", "gaps");
      series.sample(CACHE_EVENTS, cache.duplicates(), "kind", "duplicates");
      series.sample(CACHE_EVENTS, cache.restarts(), "kind", "restarts");
    }
    writeSources(series, row);
    GpuStats gpu = row.gpu();
    if (gpu != null) {
      series.sample(GPU_USED, gpu.memoryUsedBytes());
      series.sample(GPU_TOTAL, gpu.memoryTotalBytes());
    }
  }

  private static void writeSources(Series series, WindowRow row) {
    if (row.policy().equals(RoutingStats.ALL)) {
      series.sample(SOURCE_HIT_RATIO, row.tokenHitRate(), "source", "usage");
      series.sample(SOURCE_HIT_RATIO, row.prefillHitRate(), "source", "prefill");
      series.sample(SOURCE_HIT_RATIO, row.countersHitRate(), "source", "counters");
    }
    StatsFlags flags = row.flags();
    if (flags != null) {
      series.flag("cache_silent", flags.cacheSilent());
      series.flag("index_blind", flags.indexBlind());
      series.flag("sources_disagree", flags.sourcesDisagree());
    }
  }

  private void write(RoutingWeights weights) {
    String model = weights.model();
    long remainingMs = weights.validUntilMs() - nowMs;
    text.sample(LEASE, remainingMs / MILLIS_PER_SECOND, "model", model);
    text.sample(EPOCH, weights.epoch() / MILLIS_PER_SECOND, "model", model);
    text.sample(FROZEN, weights.frozen() == null ? 0 : 1, "model", model);
    if (remainingMs <= 0) {
      return; // No balancer follows them any more.
    }
    for (ReplicaWeight replica : weights.replicas()) {
      String[] labels = {"model", model, "replica", replica.replica()};
      text.sample(WEIGHT, replica.weight(), labels);
      text.sample(SECONDS_PER_TOKEN, replica.usPerToken() / MICROS_PER_SECOND, labels);
      text.sample(INTERCEPT, replica.interceptUs() / MICROS_PER_SECOND, labels);
      text.sample(FIT_SAMPLES, replica.samples(), labels);
      for (ReplicaState state : ReplicaState.values()) {
        text.sample(
            STATE,
            replica.state() == state ? 1 : 0,
            "model",
            model,
            "replica",
            replica.replica(),
            "state",
            state.name().toLowerCase(Locale.ROOT));
      }
    }
  }

  private static Double seconds(Long micros) {
    return micros == null ? null : micros / MICROS_PER_SECOND;
  }

  /** A row's labels. */
  private final class Series {

    private final String model;
    private final String window;
    private final WindowRow row;

    private Series(String model, WindowRow row) {
      this.model = model;
      this.row = row;
      this.window = WindowLabel.of(row.windowSizeMs());
    }

    private void flag(String name, Boolean up) {
      sample(FLAG, up == null ? null : up ? 1 : 0, "flag", name);
    }

    private void sample(String name, Number value) {
      text.sample(
          name,
          value,
          "model",
          model,
          "policy",
          row.policy(),
          "replica",
          row.replica(),
          "window",
          window);
    }

    private void sample(String name, Number value, String label, String labelValue) {
      text.sample(
          name,
          value,
          "model",
          model,
          "policy",
          row.policy(),
          "replica",
          row.replica(),
          label,
          labelValue,
          "window",
          window);
    }
  }
}
