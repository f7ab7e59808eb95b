package io.warmpath.console.metrics;

import io.warmpath.console.state.PromptFates;
import io.warmpath.console.state.WindowRow;
import io.warmpath.schemas.stats.Distribution;
import java.util.List;

/**
 * What requests met in the newest window of each length. {@code *} as a policy or replica is the
 * roll-up over all of them.
 */
final class TrafficMetrics {

  static final MetricSpec TTFT =
      MetricSpec.summary(
          "warmpath_time_to_first_token_seconds",
          "seconds",
          "Time from the request's last byte in to its first generated token, by quantile.",
          RowLabels.with("quantile"));
  static final MetricSpec TTFT_P95_BOUND =
      gauge(
          "warmpath_time_to_first_token_p95_bound_seconds",
          "seconds",
          "Ends of the 95 % interval of the 0.95 quantile of TTFT; bound is low or high.",
          "bound");
  static final MetricSpec TTFT_SAMPLES =
      gauge(
          "warmpath_time_to_first_token_samples",
          "first tokens",
          "First tokens in the window, which the quantiles are over.");
  static final MetricSpec RPS =
      gauge("warmpath_requests_per_second", "requests/s", "Finished requests a second.");
  static final MetricSpec REQUESTS =
      gauge(
          "warmpath_requests",
          "requests",
          "Finished requests in the window by outcome: ok, failed, aborted, rejected.",
          "outcome");
  static final MetricSpec ATTEMPTS_FAILED_RATIO =
      gauge("warmpath_attempts_failed_ratio", "ratio", "Failed attempts to all attempts.");
  static final MetricSpec HIT_RATIO =
      gauge(
          "warmpath_prefix_hit_ratio",
          "ratio",
          "Prompt tokens delivered from a cache to all prompt tokens.");
  static final MetricSpec REQUEST_HIT_RATIO =
      gauge(
          "warmpath_prefix_request_hit_ratio",
          "ratio",
          "Requests with any token from a cache to all requests.");
  static final MetricSpec PROMPT_TOKENS =
      gauge(
          "warmpath_prompt_tokens",
          "tokens",
          "Prompt tokens in the window by fate: delivered, index_over, index_under, routing,"
              + " load_justified, capacity, never_seen. All but index_under add up to prompt +"
              + " index_under.",
          "fate");
  static final MetricSpec AVOIDABLE_TOKENS =
      gauge(
          "warmpath_avoidable_tokens",
          "tokens",
          "Prompt tokens computed although an admissible replica held them.");
  static final MetricSpec AVOIDABLE_RATIO =
      gauge("warmpath_avoidable_ratio", "ratio", "Avoidable tokens to all prompt tokens.");

  static final List<MetricSpec> ALL =
      List.of(
          TTFT,
          TTFT_P95_BOUND,
          TTFT_SAMPLES,
          RPS,
          REQUESTS,
          ATTEMPTS_FAILED_RATIO,
          HIT_RATIO,
          REQUEST_HIT_RATIO,
          PROMPT_TOKENS,
          AVOIDABLE_TOKENS,
          AVOIDABLE_RATIO);

  private TrafficMetrics() {}

  private static MetricSpec gauge(String name, String unit, String help, String... more) {
    return MetricSpec.gauge(name, unit, help, RowLabels.with(more));
  }

  static void write(RowLabels series, WindowRow row) {
    writeLatency(series, row.ttft());
    if (row.attempts() + row.requests() > 0) {
      series.sample(RPS, row.rps());
      series.sample(REQUESTS, row.ok(), "ok");
      series.sample(REQUESTS, row.failed(), "failed");
      series.sample(REQUESTS, row.aborted(), "aborted");
      series.sample(REQUESTS, row.rejected(), "rejected");
    }
    if (row.attempts() > 0) {
      series.sample(ATTEMPTS_FAILED_RATIO, (double) row.attemptsFailed() / row.attempts());
    }
    series.sample(HIT_RATIO, row.tokenHitRate());
    series.sample(REQUEST_HIT_RATIO, row.requestHitRate());
    if (row.promptTokens() > 0) {
      writeFates(series, row.fates());
      series.sample(AVOIDABLE_TOKENS, row.avoidableTokens());
      series.sample(AVOIDABLE_RATIO, (double) row.avoidableTokens() / row.promptTokens());
    }
  }

  private static void writeLatency(RowLabels series, Distribution ttft) {
    series.sample(TTFT, Seconds.ofMicros(ttft.p50Us()), "0.5");
    series.sample(TTFT, Seconds.ofMicros(ttft.p90Us()), "0.9");
    series.sample(TTFT, Seconds.ofMicros(ttft.p95Us()), "0.95");
    series.sample(TTFT, Seconds.ofMicros(ttft.p99Us()), "0.99");
    series.sample(TTFT_P95_BOUND, Seconds.ofMicros(ttft.p95LowUs()), "low");
    series.sample(TTFT_P95_BOUND, Seconds.ofMicros(ttft.p95HighUs()), "high");
    series.sample(TTFT_SAMPLES, ttft.count());
  }

  private static void writeFates(RowLabels series, PromptFates fates) {
    series.sample(PROMPT_TOKENS, fates.delivered(), "delivered");
    series.sample(PROMPT_TOKENS, fates.indexOver(), "index_over");
    series.sample(PROMPT_TOKENS, fates.indexUnder(), "index_under");
    series.sample(PROMPT_TOKENS, fates.routing(), "routing");
    series.sample(PROMPT_TOKENS, fates.loadJustified(), "load_justified");
    series.sample(PROMPT_TOKENS, fates.capacity(), "capacity");
    series.sample(PROMPT_TOKENS, fates.neverSeen(), "never_seen");
  }
}
