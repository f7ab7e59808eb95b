package io.warmpath.schemas.stats;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * What another policy, or another KV capacity, would have given on the traffic of one window.
 *
 * @param windowStartMs first millisecond in the window
 * @param windowEndMs first millisecond after it
 * @param model model
 * @param policy policy evaluated
 * @param capacityFactor KV capacity in multiples of the real one
 * @param sampleRate share of blocks evaluated
 * @param requests requests evaluated
 * @param promptTokens their prompt tokens
 * @param cachedTokens tokens that would have come from a cache
 * @param tokenHitRate cachedTokens / promptTokens, or null
 * @param tokenHitRateError half width of its 95 % interval from sampling, or null
 * @param predictedTtft predicted time to first token from the learned fits
 */
@JsonPropertyOrder("v")
public record ShadowStats(
    long windowStartMs,
    long windowEndMs,
    String model,
    String policy,
    @JsonSerialize(using = SixDecimals.class) double capacityFactor,
    @JsonSerialize(using = SixDecimals.class) double sampleRate,
    long requests,
    long promptTokens,
    long cachedTokens,
    @JsonSerialize(using = SixDecimals.class) Double tokenHitRate,
    @JsonSerialize(using = SixDecimals.class) Double tokenHitRateError,
    Distribution predictedTtft)
    implements WarmpathRecord {

  public ShadowStats {
    Require.present(model, "model");
    Require.present(policy, "policy");
    Require.finite(capacityFactor, "capacity_factor");
    Require.finite(sampleRate, "sample_rate");
    Require.present(predictedTtft, "predicted_ttft");
  }
}
