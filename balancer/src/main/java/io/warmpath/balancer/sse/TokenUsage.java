package io.warmpath.balancer.sse;

/**
 * What an engine says it used.
 *
 * @param promptTokens length of the prompt, or null
 * @param completionTokens generated tokens, or null
 * @param cachedTokens prompt tokens taken from the cache, or null where the engine did not say
 */
public record TokenUsage(Long promptTokens, Long completionTokens, Long cachedTokens) {

  /** The engine said nothing. */
  public static final TokenUsage UNKNOWN = new TokenUsage(null, null, null);
}
