package io.warmpath.lab.simulate;

/**
 * One first token, as the jobs read it.
 *
 * @param replica index of the replica
 * @param timeMicros when it was there
 * @param promptTokens length of the prompt
 * @param uncachedTokens of them computed
 * @param loadTokens the load that explains its time, as known when the request was routed
 * @param ttftMicros time to first token
 */
record FirstTokenSample(
    int replica,
    long timeMicros,
    long promptTokens,
    long uncachedTokens,
    long loadTokens,
    long ttftMicros) {}
