package io.warmpath.schemas.stats;

/**
 * What is wrong with a row's figures, each null where too little was seen to say. Definitions in
 * docs/contracts.md.
 *
 * @param cacheSilent requests were answered, but no cache event came
 * @param indexBlind hits were delivered, but none was predicted
 * @param sourcesDisagree usage, prefill events and counters tell of different hits
 */
public record StatsFlags(Boolean cacheSilent, Boolean indexBlind, Boolean sourcesDisagree) {}
