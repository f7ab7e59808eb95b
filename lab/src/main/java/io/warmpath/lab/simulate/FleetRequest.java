package io.warmpath.lab.simulate;

/**
 * A request to a {@link BatchedFleet}.
 *
 * @param blockHashes chained hashes of the full blocks of the prompt and, where known, of the
 *     answer. Not copied
 * @param promptTokens at least 1
 * @param outputTokens at least 1
 * @param session number of its session, 0 = none
 */
public record FleetRequest(long[] blockHashes, int promptTokens, int outputTokens, long session) {}
