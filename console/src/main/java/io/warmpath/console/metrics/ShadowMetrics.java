package io.warmpath.console.metrics;

import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.ShadowStats;
import java.math.BigDecimal;
import java.util.List;

/** What other policies, and more or less KV memory, would have given on the same traffic. */
final class ShadowMetrics {

  /** A record may list any number of capacities; series must not follow it. */
  private static final int MAX_CAPACITIES = 16;

  /** What a window takes from its end until it is read. */
  private static final long GRACE_MS = 30_000;

  static final MetricSpec HIT_RATIO =
      ofCapacity(
          "warmpath_shadow_hit_ratio",
          "ratio",
          "Token hit rate that the policy would have had, at a multiple of the KV capacity.");
  static final MetricSpec HIT_RATIO_ERROR =
      MetricSpec.gauge(
          "warmpath_shadow_hit_ratio_error",
          "ratio",
          "Half width of the 95 % interval of that hit rate by cause: sampling, or model (load that"
              + " is simulated and not known).",
          "model",
          "policy",
          "capacity",
          "cause");
  static final MetricSpec TTFT =
      MetricSpec.summary(
          "warmpath_shadow_time_to_first_token_seconds",
          "seconds",
          "Time to first token that the learned speeds predict for the policy, by quantile.",
          "model",
          "policy",
          "capacity",
          "quantile");
  static final MetricSpec REQUESTS =
      ofPolicy("warmpath_shadow_requests", "requests", "Requests that the policy was tried on.");
  static final MetricSpec PROMPT_TOKENS =
      ofPolicy("warmpath_shadow_prompt_tokens", "tokens", "Prompt tokens of those requests.");
  static final MetricSpec SAMPLE_RATIO =
      ofPolicy("warmpath_shadow_sample_ratio", "ratio", "Share of the blocks that were looked at.");
  static final MetricSpec AGE =
      ofPolicy(
          "warmpath_shadow_age_seconds",
          "seconds",
          "Time since the end of the policy's newest window.");

  static final List<MetricSpec> ALL =
      List.of(HIT_RATIO, HIT_RATIO_ERROR, TTFT, REQUESTS, PROMPT_TOKENS, SAMPLE_RATIO, AGE);

  private ShadowMetrics() {}

  private static MetricSpec ofPolicy(String name, String unit, String help) {
    return MetricSpec.gauge(name, unit, help, "model", "policy");
  }

  private static MetricSpec ofCapacity(String name, String unit, String help) {
    return MetricSpec.gauge(name, unit, help, "model", "policy", "capacity");
  }

  /** Writes the newest window of a policy, unless two more should have come since. */
  static void write(MetricsText text, ShadowStats window, long nowMs) {
    long sizeMs = window.windowEndMs() - window.windowStartMs();
    if (nowMs - window.windowEndMs() > 2 * sizeMs + GRACE_MS) {
      return;
    }
    String model = window.model();
    String policy = window.policy();
    text.sample(REQUESTS, window.requests(), model, policy);
    text.sample(PROMPT_TOKENS, window.promptTokens(), model, policy);
    text.sample(SAMPLE_RATIO, window.sampleRate(), model, policy);
    text.sample(AGE, Seconds.ofMillis(nowMs - window.windowEndMs()), model, policy);
    window.capacities().stream()
        .limit(MAX_CAPACITIES)
        .forEach(
            capacity -> {
              String factor = factor(capacity.factor());
              text.sample(HIT_RATIO, capacity.tokenHitRate(), model, policy, factor);
              text.sample(
                  HIT_RATIO_ERROR, capacity.tokenHitRateError(), model, policy, factor, "sampling");
              text.sample(
                  HIT_RATIO_ERROR,
                  capacity.tokenHitRateModelError(),
                  model,
                  policy,
                  factor,
                  "model");
              writeTtft(text, capacity.predictedTtft(), model, policy, factor);
            });
  }

  private static void writeTtft(
      MetricsText text, Distribution ttft, String model, String policy, String factor) {
    text.sample(TTFT, Seconds.ofMicros(ttft.p50Us()), model, policy, factor, "0.5");
    text.sample(TTFT, Seconds.ofMicros(ttft.p90Us()), model, policy, factor, "0.9");
    text.sample(TTFT, Seconds.ofMicros(ttft.p95Us()), model, policy, factor, "0.95");
    text.sample(TTFT, Seconds.ofMicros(ttft.p99Us()), model, policy, factor, "0.99");
  }

  /** {@code 0.5}, {@code 1}, {@code 2}. */
  private static String factor(double factor) {
    return BigDecimal.valueOf(factor).stripTrailingZeros().toPlainString();
  }
}
