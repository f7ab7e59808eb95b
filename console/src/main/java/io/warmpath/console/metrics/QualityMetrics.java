package io.warmpath.console.metrics;

import io.warmpath.console.state.EventQuality;
import io.warmpath.console.state.WindowRow;
import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.GpuStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.StatsFlags;
import java.util.List;

/** How sound the figures of the newest windows are, and what replicas report of themselves. */
final class QualityMetrics {

  static final MetricSpec UNKNOWN_CACHED =
      gauge(
          "warmpath_requests_cached_tokens_unknown",
          "requests",
          "Requests whose engine did not say how much came from its cache.");
  static final MetricSpec EVENTS_FLAGGED =
      gauge(
          "warmpath_events_flagged",
          "events",
          "Events of the window by flag: late, dropped, skewed, duplicate, lost_at_balancer.",
          "flag");
  static final MetricSpec CACHE_EVENTS =
      gauge(
          "warmpath_cache_events",
          "events",
          "Cache events of the window by kind: stored_blocks, removed_blocks, clears, gaps,"
              + " duplicates, restarts.",
          "kind");
  static final MetricSpec SOURCE_HIT_RATIO =
      gauge(
          "warmpath_source_hit_ratio",
          "ratio",
          "Token hit rate by source: usage, prefill events, engines' counters.",
          "source");
  static final MetricSpec FLAG =
      gauge(
          "warmpath_stats_flag",
          "0 or 1",
          "1 where a flag of the window's figures is up, 0 where it is not: cache_silent,"
              + " index_blind, sources_disagree.",
          "flag");
  static final MetricSpec GPU_USED =
      gauge("warmpath_gpu_memory_used_bytes", "bytes", "GPU memory in use, as replicas report it.");
  static final MetricSpec GPU_TOTAL =
      gauge("warmpath_gpu_memory_total_bytes", "bytes", "GPU memory there is, as replicas report.");
  static final MetricSpec WINDOW_AGE =
      MetricSpec.gauge(
          "warmpath_window_age_seconds",
          "seconds",
          "Time since the end of the newest window of each length.",
          "model",
          "window");

  static final List<MetricSpec> ALL =
      List.of(
          UNKNOWN_CACHED,
          EVENTS_FLAGGED,
          CACHE_EVENTS,
          SOURCE_HIT_RATIO,
          FLAG,
          GPU_USED,
          GPU_TOTAL,
          WINDOW_AGE);

  private QualityMetrics() {}

  private static MetricSpec gauge(String name, String unit, String help, String... more) {
    return MetricSpec.gauge(name, unit, help, RowLabels.with(more));
  }

  static void write(MetricsText text, RowLabels series, WindowRow row, long nowMs) {
    if (row.attempts() + row.requests() > 0) {
      series.sample(UNKNOWN_CACHED, row.unknownCachedRequests());
    }
    if (row.policy().equals(row.replica())) {
      writeEvents(series, row.quality());
      text.sample(
          WINDOW_AGE, Seconds.ofMillis(nowMs - row.windowEndMs()), series.model(), series.window());
    }
    writeCache(series, row.cache());
    writeSources(series, row);
    GpuStats gpu = row.gpu();
    if (gpu != null) {
      series.sample(GPU_USED, gpu.memoryUsedBytes());
      series.sample(GPU_TOTAL, gpu.memoryTotalBytes());
    }
  }

  private static void writeEvents(RowLabels series, EventQuality quality) {
    series.sample(EVENTS_FLAGGED, quality.late(), "late");
    series.sample(EVENTS_FLAGGED, quality.dropped(), "dropped");
    series.sample(EVENTS_FLAGGED, quality.skewed(), "skewed");
    series.sample(EVENTS_FLAGGED, quality.duplicates(), "duplicate");
    series.sample(EVENTS_FLAGGED, quality.lostAtBalancer(), "lost_at_balancer");
  }

  private static void writeCache(RowLabels series, CacheStats cache) {
    if (cache != null) {
      series.sample(CACHE_EVENTS, cache.storedBlocks(), "stored_blocks");
      series.sample(CACHE_EVENTS, cache.removedBlocks(), "removed_blocks");
      series.sample(CACHE_EVENTS, cache.clears(), "clears");
      series.sample(CACHE_EVENTS, cache.gaps(), "gaps");
      series.sample(CACHE_EVENTS, cache.duplicates(), "duplicates");
      series.sample(CACHE_EVENTS, cache.restarts(), "restarts");
    }
  }

  private static void writeSources(RowLabels series, WindowRow row) {
    if (row.policy().equals(RoutingStats.ALL)) {
      series.sample(SOURCE_HIT_RATIO, row.tokenHitRate(), "usage");
      series.sample(SOURCE_HIT_RATIO, row.prefillHitRate(), "prefill");
      series.sample(SOURCE_HIT_RATIO, row.countersHitRate(), "counters");
    }
    StatsFlags flags = row.flags();
    if (flags != null) {
      series.sample(FLAG, upOrDown(flags.cacheSilent()), "cache_silent");
      series.sample(FLAG, upOrDown(flags.indexBlind()), "index_blind");
      series.sample(FLAG, upOrDown(flags.sourcesDisagree()), "sources_disagree");
    }
  }

  private static Integer upOrDown(Boolean flag) {
    return flag == null ? null : flag ? 1 : 0;
  }
}
