package io.warmpath.balancer.proxy;

import io.warmpath.balancer.decision.DecisionLog;
import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.balancer.request.Endpoint;
import io.warmpath.balancer.trace.RequestTrace;
import io.warmpath.balancer.trace.Tracing;
import java.util.concurrent.TimeUnit;

/**
 * Where ledgers write.
 *
 * @param router name of this balancer
 * @param routerStartMs when it started
 * @param timeScale factor of all durations: how much faster than real the replicas run
 * @param sampleRate share of the block hashes in {@code routed}
 * @param decisions the log of decisions
 * @param tracing makes traces
 */
record Recorder(
    String router,
    long routerStartMs,
    double timeScale,
    double sampleRate,
    EventSink events,
    RequestMetrics metrics,
    DecisionLog decisions,
    Tracing tracing,
    TimeSource time) {

  /** The trace of a request that came at a time. */
  RequestTrace trace(Endpoint endpoint, String model, RequestTags tags, long receivedNanos) {
    long sinceMs = TimeUnit.NANOSECONDS.toMillis(time.nanos() - receivedNanos);
    return tracing.request(
        tags.traceparent(),
        endpoint.operation(),
        model,
        tags.stream(),
        time.epochMillis() - sinceMs);
  }

  /** A real duration in model time. */
  long micros(long fromNanos, long toNanos) {
    return Math.max(0, Math.round((toNanos - fromNanos) * timeScale / 1000));
  }
}
