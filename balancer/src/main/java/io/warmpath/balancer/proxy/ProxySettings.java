package io.warmpath.balancer.proxy;

import io.warmpath.balancer.decision.DecisionLog;
import io.warmpath.balancer.trace.Tracing;
import io.warmpath.balancer.upstream.ConnectionSettings;
import java.util.List;

/**
 * What a proxy is made of.
 *
 * @param router name of this balancer in events
 * @param host address to listen on
 * @param port port to listen on, 0 for any
 * @param models the models that are served, at least one
 * @param rules what holds until other rules are given
 * @param timeScale factor of all durations in events and metrics
 * @param sampleRate share of the block hashes in {@code routed} events
 * @param decisions the log of decisions
 * @param tracing makes traces
 */
public record ProxySettings(
    String router,
    String host,
    int port,
    List<ServedModel> models,
    ProxyRules rules,
    ConnectionSettings connections,
    double timeScale,
    double sampleRate,
    DecisionLog decisions,
    Tracing tracing) {}
