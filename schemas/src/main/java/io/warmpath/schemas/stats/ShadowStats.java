package io.warmpath.schemas.stats;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.SixDecimals;
import java.util.List;

/**
 * What another policy would have given on the traffic of one window, at the real KV capacity and at
 * multiples of it.
 *
 * @param windowStartMs first millisecond in the window
 * @param windowEndMs first millisecond after it
 * @param model model
 * @param policy policy evaluated
 * @param sampleRate share of blocks evaluated
 * @param requests requests evaluated
 * @param promptTokens their prompt tokens
 * @param capacities what each capacity would have given, by rising factor
 */
@JsonPropertyOrder("v")
public record ShadowStats(
    long windowStartMs,
    long windowEndMs,
    String model,
    String policy,
    @JsonSerialize(using = SixDecimals.class) double sampleRate,
    long requests,
    long promptTokens,
    List<Capacity> capacities)
    implements WarmpathRecord {

  /**
   * The window at one capacity.
   *
   * @param factor KV capacity in multiples of the real one
   * @param cachedTokens tokens that would have come from a cache
   * @param tokenHitRate {@code cachedTokens / promptTokens}, or null
   * @param tokenHitRateError half width of its 95 % interval from sampling, or null
   * @param tokenHitRateModelError half width of its 95 % interval from load that is simulated and
   *     not known, or null
   * @param predictedTtft predicted time to first token from the learned fits
   */
  public record Capacity(
      @JsonSerialize(using = SixDecimals.class) double factor,
      long cachedTokens,
      @JsonSerialize(using = SixDecimals.class) Double tokenHitRate,
      @JsonSerialize(using = SixDecimals.class) Double tokenHitRateError,
      @JsonSerialize(using = SixDecimals.class) Double tokenHitRateModelError,
      Distribution predictedTtft) {

    public Capacity {
      Require.finite(factor, "factor");
      Require.notNegative(cachedTokens, "cached_tokens");
      Require.finite(tokenHitRate, "token_hit_rate");
      Require.finite(tokenHitRateError, "token_hit_rate_error");
      Require.finite(tokenHitRateModelError, "token_hit_rate_model_error");
      Require.present(predictedTtft, "predicted_ttft");
    }
  }

  public ShadowStats {
    Require.time(windowStartMs, "window_start_ms");
    Require.time(windowEndMs, "window_end_ms");
    Require.present(model, "model");
    Require.present(policy, "policy");
    Require.share(sampleRate, "sample_rate");
    Require.notNegative(requests, "requests");
    Require.notNegative(promptTokens, "prompt_tokens");
    capacities = Require.list(capacities, "capacities");
  }
}
