package io.warmpath.replica.events;

/**
 * An engine's own counters of its prefix cache, as its {@code /metrics} show them.
 *
 * @param queriedTokens prompt tokens looked up so far
 * @param hitTokens of them found
 */
public record TokenCounters(long queriedTokens, long hitTokens) {}
