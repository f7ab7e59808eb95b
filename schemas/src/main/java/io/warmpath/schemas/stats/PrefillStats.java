package io.warmpath.schemas.stats;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * Sums over the prefill events of a window, as instrumented replicas saw them.
 *
 * @param count prompts computed
 * @param promptTokens their length
 * @param cachedTokens of them taken from the cache
 * @param prefillUs start of the first step → first token
 * @param gpuUs time on the GPU; null where no event carried it
 * @param tokenHitRate cachedTokens / promptTokens; null when promptTokens is 0
 */
public record PrefillStats(
    long count,
    long promptTokens,
    long cachedTokens,
    long prefillUs,
    Long gpuUs,
    @JsonSerialize(using = SixDecimals.class) Double tokenHitRate) {

  public PrefillStats {
    Require.notNegative(count, "prefill.count");
    Require.notNegative(promptTokens, "prefill.prompt_tokens");
    Require.notNegative(cachedTokens, "prefill.cached_tokens");
    Require.notNegative(prefillUs, "prefill.prefill_us");
    Require.notNegative(gpuUs, "prefill.gpu_us");
    Require.finite(tokenHitRate, "prefill.token_hit_rate");
  }

  /** The sums with their rate. */
  public static PrefillStats of(
      long count, long promptTokens, long cachedTokens, long prefillUs, Long gpuUs) {
    return new PrefillStats(
        count,
        promptTokens,
        cachedTokens,
        prefillUs,
        gpuUs,
        SixDecimals.ratio(cachedTokens, promptTokens));
  }
}
