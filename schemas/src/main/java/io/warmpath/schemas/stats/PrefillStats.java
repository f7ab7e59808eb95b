package io.warmpath.schemas.stats;

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
    long count, long promptTokens, long cachedTokens, long prefillUs, Long gpuUs) {}
