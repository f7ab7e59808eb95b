package io.warmpath.balancer.proxy;

import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.metrics.RequestMetrics;

/**
 * Where ledgers write.
 *
 * @param router name of this balancer
 * @param routerStartMs when it started
 * @param timeScale factor of all durations: how much faster than real the replicas run
 * @param sampleRate share of the block hashes in {@code routed}
 */
record Recorder(
    String router,
    long routerStartMs,
    double timeScale,
    double sampleRate,
    EventSink events,
    RequestMetrics metrics,
    TimeSource time) {

  /** A real duration in model time. */
  long micros(long fromNanos, long toNanos) {
    return Math.max(0, Math.round((toNanos - fromNanos) * timeScale / 1000));
  }
}
