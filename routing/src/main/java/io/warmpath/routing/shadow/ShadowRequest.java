package io.warmpath.routing.shadow;

/**
 * A request as a shadow replays it.
 *
 * @param timeMicros when it was routed, µs since the epoch
 * @param prompt its prompt
 * @param session 64-bit hash of its session, 0 for none
 * @param outputTokens expected length of the answer
 * @param decodeMicros expected time from first token to end, µs
 */
public record ShadowRequest(
    long timeMicros, SampledPrompt prompt, long session, long outputTokens, long decodeMicros) {}
