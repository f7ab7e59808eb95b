/**
 * An OpenAI-compatible streaming proxy in front of inference replicas. It routes each request by
 * what the replicas' caches hold and by published weights, measures the answer and says so in
 * events. {@link io.warmpath.balancer.BalancerServer} wires the parts:
 *
 * <pre>
 * proxy ── request, prompt ── decision ── upstream
 *   │                            │
 *   └── sse, events, metrics     └── weights, cache events (Kafka)
 * </pre>
 *
 * HTTP is Netty by hand: with hand-written handlers it reaches about 0.8 of nginx's request rate on
 * one core, more than twice what the ready-made proxies on top of it do.
 */
package io.warmpath.balancer;
