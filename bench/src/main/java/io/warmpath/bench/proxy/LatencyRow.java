package io.warmpath.bench.proxy;

/**
 * Times of one contender's answers at a fixed rate.
 *
 * @param time request due to end of answer
 * @param failures requests without a sound answer
 */
public record LatencyRow(ProxyKind contender, AnswerForm answer, Delays time, long failures) {}
