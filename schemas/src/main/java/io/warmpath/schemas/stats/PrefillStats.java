package io.warmpath.schemas.stats;

import io.warmpath.schemas.Require;

/**
 * Sums over the prefill events of a window, as instrumented replicas saw them.
 *
 * @param count prompts computed
 * @param promptTokens their length
 * @param cachedTokens of them taken from the cache
 * @param prefillUs start of the first step → first token
 * @param gpuUs time on the GPU; null where no event carried it
 */
public record PrefillStats(
    long count, long promptTokens, long cachedTokens, long prefillUs, Long gpuUs) {

  public PrefillStats {
    Require.notNegative(count, "prefill.count");
    Require.notNegative(promptTokens, "prefill.prompt_tokens");
    Require.notNegative(cachedTokens, "prefill.cached_tokens");
    Require.notNegative(prefillUs, "prefill.prefill_us");
    Require.notNegative(gpuUs, "prefill.gpu_us");
  }
}
