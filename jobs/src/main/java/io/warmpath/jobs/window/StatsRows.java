package io.warmpath.jobs.window;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.CounterSource;
import io.warmpath.jobs.pane.GpuSample;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.Timing;
import io.warmpath.routing.control.TheilSenFit;
import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.schemas.cache.ReplicaTelemetry.Source;
import io.warmpath.schemas.codec.SixDecimals;
import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.CounterStats;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.GpuStats;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.PrefillStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.StatsFlags;

/** Makes the published row of a window out of its merged panes. */
final class StatsRows {

  /** Rows of this size carry their sketch, so that readers can merge minutes into hours. */
  private static final long SKETCH_WINDOW_MS = 60_000;

  /** The law that reads the fit knows how many samples it wants; here any line will do. */
  private static final int MIN_FIT_SAMPLES = 1;

  private StatsRows() {}

  /**
   * The row of a key and window.
   *
   * @param flags what is wrong with its figures; null where they are not judged
   * @param provisional whether the watermark has not passed the window yet
   */
  static RoutingStats of(
      PaneKey key, Window window, Pane pane, StatsFlags flags, boolean provisional) {
    long requests = pane.get(Count.REQUESTS);
    long known = requests - pane.get(Count.UNKNOWN_CACHED_REQUESTS);
    boolean overPolicies = key.isOverPolicies();
    return new RoutingStats(
        window.startMs(),
        window.endMs(),
        key.model(),
        key.policy(),
        key.replica(),
        provisional,
        requests,
        pane.get(Count.OK),
        pane.get(Count.FAILED),
        pane.get(Count.ABORTED),
        pane.get(Count.REJECTED),
        pane.get(Count.ATTEMPTS),
        pane.get(Count.ATTEMPTS_FAILED),
        pane.get(Count.NOT_STREAMED),
        pane.get(Count.EVENTS_DROPPED),
        pane.get(Count.LATE),
        pane.get(Count.DROPPED),
        pane.get(Count.SKEWED),
        pane.get(Count.DUPLICATES),
        SixDecimals.ratio(requests * 1000, window.sizeMs()),
        pane.get(Count.PROMPT_TOKENS),
        pane.get(Count.CACHED_TOKENS),
        pane.get(Count.UNKNOWN_CACHED_REQUESTS),
        pane.get(Count.UNKNOWN_CACHED_PROMPT_TOKENS),
        SixDecimals.ratio(pane.get(Count.CACHED_TOKENS), pane.get(Count.PROMPT_TOKENS)),
        SixDecimals.ratio(pane.get(Count.HIT_REQUESTS), known),
        timeToFirstToken(pane, window),
        distribution(pane, Timing.TTFT_HIT),
        distribution(pane, Timing.TTFT_MISS),
        distribution(pane, Timing.E2E),
        lostTokens(pane),
        pane.get(Count.AVOIDABLE_TOKENS),
        overPolicies ? cache(pane) : null,
        overPolicies ? prefill(pane) : null,
        overPolicies ? counters(pane) : null,
        overPolicies ? gpu(pane) : null,
        overPolicies ? fit(pane) : null,
        flags);
  }

  private static Distribution timeToFirstToken(Pane pane, Window window) {
    DurationSketch sketch = pane.get(Timing.TTFT);
    return sketch != null && window.sizeMs() == SKETCH_WINDOW_MS
        ? sketch.toDistributionWithSketch()
        : distribution(pane, Timing.TTFT);
  }

  private static Distribution distribution(Pane pane, Timing timing) {
    DurationSketch sketch = pane.get(timing);
    return sketch == null ? Distribution.EMPTY : sketch.toDistribution();
  }

  private static LostTokens lostTokens(Pane pane) {
    return new LostTokens(
        pane.get(Count.NEVER_SEEN_TOKENS),
        pane.get(Count.CAPACITY_TOKENS),
        pane.get(Count.LOAD_JUSTIFIED_TOKENS),
        pane.get(Count.ROUTING_TOKENS),
        pane.get(Count.INDEX_OVER_TOKENS),
        pane.get(Count.INDEX_UNDER_TOKENS));
  }

  /** What is known of a numbering may come without any batch of it, as others reveal a gap. */
  private static CacheStats cache(Pane pane) {
    return pane.get(Count.CACHE_BATCHES)
                + pane.get(Count.CACHE_GAPS)
                + pane.get(Count.CACHE_DUPLICATES)
                + pane.get(Count.CACHE_RESTARTS)
            == 0
        ? null
        : new CacheStats(
            pane.get(Count.STORED_BLOCKS),
            pane.get(Count.REMOVED_BLOCKS),
            pane.get(Count.CLEARS),
            pane.get(Count.CACHE_GAPS),
            pane.get(Count.CACHE_DUPLICATES),
            pane.get(Count.CACHE_RESTARTS));
  }

  private static PrefillStats prefill(Pane pane) {
    return pane.get(Count.PREFILLS) == 0
        ? null
        : PrefillStats.of(
            pane.get(Count.PREFILLS),
            pane.get(Count.PREFILL_PROMPT_TOKENS),
            pane.get(Count.PREFILL_CACHED_TOKENS),
            pane.get(Count.PREFILL_US),
            pane.get(Count.GPU_PREFILLS) == 0 ? null : pane.get(Count.GPU_US));
  }

  private static CounterStats counters(Pane pane) {
    CounterSource source = CounterSource.in(pane);
    return pane.get(source.events()) == 0
        ? null
        : CounterStats.of(pane.get(source.queriedTokens()), pane.get(source.hitTokens()));
  }

  private static GpuStats gpu(Pane pane) {
    if (pane.gpuByReplica().isEmpty()) {
      return null;
    }
    long used = 0;
    long total = 0;
    Source source = null;
    boolean mixed = false;
    for (GpuSample sample : pane.gpuByReplica().values()) {
      used += sample.usedBytes();
      total += sample.totalBytes();
      mixed |= source != null && source != sample.source();
      source = sample.source();
    }
    return new GpuStats(pane.gpuByReplica().size(), used, total, mixed ? null : source);
  }

  /** The slope from GPU time where it was measured, else from times to first token. */
  private static FitStats fit(Pane pane) {
    if (pane.fit() == null) {
      return null;
    }
    long tokensOnGpu = pane.get(Count.GPU_COMPUTED_TOKENS);
    if (tokensOnGpu > 0) {
      double usPerToken = (double) pane.get(Count.GPU_US) / tokensOnGpu;
      return TheilSenFit.withGpuSlope(pane.fit(), usPerToken, MIN_FIT_SAMPLES).orElse(null);
    }
    return TheilSenFit.of(pane.fit(), MIN_FIT_SAMPLES).orElse(null);
  }
}
