package io.warmpath.bench.proxy;

import java.util.List;

/**
 * Requests a second of one contender.
 *
 * @param requestsPerSecond median of the rounds
 * @param rounds requests a second of each, in their order: what was not warm yet rises
 * @param cpuMicrosPerRequest processor time of its processes, 0 of nobody
 * @param coreShare share of one processor that its processes used
 * @param requests answers that counted
 * @param failures answers, of all, that were not what the upstream sent
 */
public record RequestRow(
    ProxyKind contender,
    AnswerForm answer,
    double requestsPerSecond,
    List<Double> rounds,
    double cpuMicrosPerRequest,
    double coreShare,
    long requests,
    long failures) {}
