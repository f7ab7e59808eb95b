package io.warmpath.bench.proxy;

import java.util.List;

/**
 * Times that chunks took through one contender.
 *
 * @param time written by the upstream to read by the client
 * @param rounds the same of each round, in their order
 * @param failures streams that were not whole
 */
public record ChunkRow(ProxyKind contender, Delays time, List<Delays> rounds, long failures) {}
