package io.warmpath.console.state;

import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.GpuStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.StatsFlags;

/**
 * What the console keeps of one {@link RoutingStats}: all that it shows or exports, and nothing
 * whose size a record decides (such as a sketch).
 *
 * @param policy policy, or {@link RoutingStats#ALL}
 * @param replica replica, or {@link RoutingStats#ALL}
 * @param windowSizeMs length of the window
 * @param windowEndMs first millisecond after the window
 * @param provisional whether a later record may still replace this one
 * @param requests finished requests
 * @param ok of them answered
 * @param failed of them ended by the upstream or a timeout
 * @param aborted of them left by the client
 * @param rejected of them refused
 * @param attempts attempts made
 * @param attemptsFailed of them failed
 * @param rps finished requests a second
 * @param ttft time to first token, without its sketch
 * @param tokenHitRate cached share of the prompt tokens, or null where nothing is known
 * @param requestHitRate share of requests with any cached token, or null likewise
 * @param promptTokens prompt tokens of requests whose cached tokens are known
 * @param fates where those tokens went
 * @param avoidableTokens computed although an admissible replica held them
 * @param unknownCachedRequests requests whose engine did not say what it had cached
 * @param quality soundness of the events
 * @param cache cache events, or null on rows that carry none
 * @param prefillHitRate token hit rate by prefill events, or null where nothing is known
 * @param countersHitRate token hit rate by the engines' counters, or null likewise
 * @param gpu telemetry, or null on rows that carry none
 * @param flags what is wrong with the figures, or null likewise
 */
public record WindowRow(
    String policy,
    String replica,
    long windowSizeMs,
    long windowEndMs,
    boolean provisional,
    long requests,
    long ok,
    long failed,
    long aborted,
    long rejected,
    long attempts,
    long attemptsFailed,
    double rps,
    Distribution ttft,
    Double tokenHitRate,
    Double requestHitRate,
    long promptTokens,
    PromptFates fates,
    long avoidableTokens,
    long unknownCachedRequests,
    EventQuality quality,
    CacheStats cache,
    Double prefillHitRate,
    Double countersHitRate,
    GpuStats gpu,
    StatsFlags flags) {

  static WindowRow of(RoutingStats row) {
    return new WindowRow(
        row.policy(),
        row.replica(),
        row.windowSizeMs(),
        row.windowEndMs(),
        row.provisional(),
        row.requests(),
        row.ok(),
        row.failed(),
        row.aborted(),
        row.rejected(),
        row.attempts(),
        row.attemptsFailed(),
        row.rps(),
        withoutSketch(row.ttft()),
        row.tokenHitRate(),
        row.requestHitRate(),
        row.promptTokens(),
        PromptFates.of(row.cachedTokens(), row.lostTokens()),
        row.avoidableTokens(),
        row.unknownCachedRequests(),
        new EventQuality(
            row.late(), row.dropped(), row.skewed(), row.duplicates(), row.eventsDropped()),
        row.cache(),
        row.prefill() == null ? null : row.prefill().tokenHitRate(),
        row.counters() == null ? null : row.counters().tokenHitRate(),
        row.gpu(),
        row.flags());
  }

  /** The same figures without the sketch, whose size its record decides. */
  static Distribution withoutSketch(Distribution d) {
    return new Distribution(
        d.count(),
        d.sumUs(),
        d.p50Us(),
        d.p90Us(),
        d.p95Us(),
        d.p99Us(),
        d.maxUs(),
        d.p95LowUs(),
        d.p95HighUs(),
        null);
  }
}
