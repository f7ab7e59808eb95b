package io.warmpath.bench.proxy;

/**
 * Times that chunks took through one contender.
 *
 * @param time written by the upstream to read by the client
 * @param failures streams that were not whole
 */
public record ChunkRow(ProxyKind contender, Delays time, long failures) {}
