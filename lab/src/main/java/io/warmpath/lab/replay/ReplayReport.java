package io.warmpath.lab.replay;

import java.util.Map;

/**
 * Figures of a replay, in real time.
 *
 * @param requests requests of the trace that were due
 * @param ok answered completely
 * @param failed all others
 * @param seconds from the first due time to the last answer
 * @param rps answered requests a second
 * @param ttftP50Us time to first token from the due time, of answered requests; null without any
 * @param ttftP95Us likewise
 * @param ttftP99Us likewise
 * @param promptTokens prompt tokens of answers that say how many were cached
 * @param cachedTokens of them from a cache
 * @param tokenHitRate cachedTokens / promptTokens, or null
 * @param unknownCachedRequests answers that do not say how many were cached
 * @param outputTokens generated tokens
 * @param worstSendDelayUs how late the client itself was at worst; part of the times above
 * @param requestsByReplica answers by the replica that gave them
 * @param errors failures by reason
 */
public record ReplayReport(
    int requests,
    int ok,
    int failed,
    double seconds,
    double rps,
    Long ttftP50Us,
    Long ttftP95Us,
    Long ttftP99Us,
    long promptTokens,
    long cachedTokens,
    Double tokenHitRate,
    long unknownCachedRequests,
    long outputTokens,
    long worstSendDelayUs,
    Map<String, Long> requestsByReplica,
    Map<String, Long> errors) {}
