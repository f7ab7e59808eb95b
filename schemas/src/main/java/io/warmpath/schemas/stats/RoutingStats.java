package io.warmpath.schemas.stats;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * One window of one (model, policy, replica); {@link #ALL} in place of a policy or replica is the
 * roll-up over all. Definitions in docs/contracts.md.
 *
 * @param windowStartMs first millisecond in the window
 * @param windowEndMs first millisecond after it
 * @param model model
 * @param policy policy, or {@link #ALL}
 * @param replica replica, or {@link #ALL}; null-replica requests (rejected) count only in roll-ups
 * @param provisional whether a later record may replace this one before the watermark passes
 * @param requests finished requests
 * @param ok of them answered
 * @param failed of them ended by upstream error or timeout
 * @param aborted of them left by the client
 * @param rejected of them refused
 * @param attempts attempts made, each once: failed attempts, and finished requests with a replica
 *     whose outcome is neither upstream_error nor timeout (those failed in their last attempt)
 * @param attemptsFailed attempts that failed
 * @param notStreamed finished requests that did not ask for a stream, and so have no TTFT
 * @param eventsDropped events that balancers report as lost in the window
 * @param late events merged after their bound
 * @param dropped events beyond the allowed lateness
 * @param skewed events ahead of their record's timestamp
 * @param duplicates events seen before
 * @param rps {@code requests} a second
 * @param promptTokens prompt tokens of finished requests whose cached tokens are known
 * @param cachedTokens of them taken from a cache
 * @param unknownCachedRequests finished requests whose engine did not say
 * @param unknownCachedPromptTokens their prompt tokens
 * @param tokenHitRate cachedTokens / promptTokens, or null
 * @param requestHitRate share of requests with known cached tokens that had some, or null
 * @param ttft time to first token, from first_token events at their time
 * @param ttftHit of finished requests with cached tokens
 * @param ttftMiss of finished requests known to have none
 * @param e2e of ok requests
 * @param lostTokens where the rest of the prompt went
 * @param avoidableTokens Σ max(0, best_admissible − delivered)
 * @param cache cache events, on rows with policy {@link #ALL} only
 * @param prefill prefill events, likewise
 * @param counters counters events, likewise
 * @param gpu telemetry, likewise
 * @param fit learned speed, likewise; null where there are too few samples
 * @param flags what is wrong with these figures, likewise; on the longest windows only
 */
@JsonPropertyOrder("v")
public record RoutingStats(
    long windowStartMs,
    long windowEndMs,
    String model,
    String policy,
    String replica,
    boolean provisional,
    long requests,
    long ok,
    long failed,
    long aborted,
    long rejected,
    long attempts,
    long attemptsFailed,
    long notStreamed,
    long eventsDropped,
    long late,
    long dropped,
    long skewed,
    long duplicates,
    @JsonSerialize(using = SixDecimals.class) double rps,
    long promptTokens,
    long cachedTokens,
    long unknownCachedRequests,
    long unknownCachedPromptTokens,
    @JsonSerialize(using = SixDecimals.class) Double tokenHitRate,
    @JsonSerialize(using = SixDecimals.class) Double requestHitRate,
    Distribution ttft,
    Distribution ttftHit,
    Distribution ttftMiss,
    Distribution e2e,
    LostTokens lostTokens,
    long avoidableTokens,
    @JsonInclude(Include.NON_NULL) CacheStats cache,
    @JsonInclude(Include.NON_NULL) PrefillStats prefill,
    @JsonInclude(Include.NON_NULL) CounterStats counters,
    @JsonInclude(Include.NON_NULL) GpuStats gpu,
    @JsonInclude(Include.NON_NULL) FitStats fit,
    @JsonInclude(Include.NON_NULL) StatsFlags flags)
    implements WarmpathRecord {

  /** Stands for all policies or all replicas. */
  public static final String ALL = "*";

  public RoutingStats {
    Require.time(windowStartMs, "window_start_ms");
    Require.time(windowEndMs, "window_end_ms");
    Require.present(model, "model");
    Require.present(policy, "policy");
    Require.present(replica, "replica");
    Require.notNegative(requests, "requests");
    Require.notNegative(ok, "ok");
    Require.notNegative(failed, "failed");
    Require.notNegative(aborted, "aborted");
    Require.notNegative(rejected, "rejected");
    Require.notNegative(attempts, "attempts");
    Require.notNegative(attemptsFailed, "attempts_failed");
    Require.notNegative(notStreamed, "not_streamed");
    Require.notNegative(eventsDropped, "events_dropped");
    Require.notNegative(late, "late");
    Require.notNegative(dropped, "dropped");
    Require.notNegative(skewed, "skewed");
    Require.notNegative(duplicates, "duplicates");
    Require.finite(rps, "rps");
    Require.notNegative(promptTokens, "prompt_tokens");
    Require.notNegative(cachedTokens, "cached_tokens");
    Require.notNegative(unknownCachedRequests, "unknown_cached_requests");
    Require.notNegative(unknownCachedPromptTokens, "unknown_cached_prompt_tokens");
    Require.finite(tokenHitRate, "token_hit_rate");
    Require.finite(requestHitRate, "request_hit_rate");
    Require.present(ttft, "ttft");
    Require.present(ttftHit, "ttft_hit");
    Require.present(ttftMiss, "ttft_miss");
    Require.present(e2e, "e2e");
    Require.present(lostTokens, "lost_tokens");
    Require.notNegative(avoidableTokens, "avoidable_tokens");
  }

  /** Length of the window. */
  @JsonIgnore
  public long windowSizeMs() {
    return windowEndMs - windowStartMs;
  }

  /** Whether this row sums over all policies and all replicas: a model's last row of a window. */
  @JsonIgnore
  public boolean isTotal() {
    return policy.equals(ALL) && replica.equals(ALL);
  }
}
