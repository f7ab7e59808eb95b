package io.warmpath.lab.simulate;

/**
 * A request of a {@link FifoSimulation}, from its routing to its last token. Times are µs on the
 * trace's own time line.
 *
 * @param number its number in the trace, from 0
 * @param replica index of the replica that took it
 * @param arrivalMicros when it was routed
 * @param cachedTokens prompt tokens that the replica's cache held
 * @param backlogTokens uncached tokens without a first token that were there before it
 * @param inFlight open requests that were there before it
 * @param firstTokenMicros when its first token was there
 * @param finishedMicros when its last token was there
 */
public record FifoRequest(
    int number,
    int replica,
    long arrivalMicros,
    long cachedTokens,
    long backlogTokens,
    int inFlight,
    long firstTokenMicros,
    long finishedMicros) {}
