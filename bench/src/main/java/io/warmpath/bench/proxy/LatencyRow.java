package io.warmpath.bench.proxy;

import java.util.List;

/**
 * Times of one contender's answers at a fixed rate.
 *
 * @param time request due to end of answer
 * @param rounds the same of each round, in their order
 * @param failures requests without a sound answer
 */
public record LatencyRow(
    ProxyKind contender, AnswerForm answer, Delays time, List<Delays> rounds, long failures) {}
