package io.warmpath.console.state;

/**
 * One window of a model's whole fleet.
 *
 * @param t window end, epoch milliseconds
 * @param rps finished requests a second
 * @param p50Us TTFT quantile, or null where no request had a first token
 * @param p95Us likewise
 * @param p99Us likewise
 * @param hit token hit rate, or null where unknown
 */
public record HistoryPoint(long t, double rps, Long p50Us, Long p95Us, Long p99Us, Double hit) {}
