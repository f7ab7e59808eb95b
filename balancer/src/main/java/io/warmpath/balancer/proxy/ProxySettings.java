package io.warmpath.balancer.proxy;

import io.warmpath.balancer.upstream.ConnectionSettings;
import java.util.List;

/**
 * What a proxy is made of.
 *
 * @param router name of this balancer in events
 * @param host address to listen on
 * @param port port to listen on, 0 for any
 * @param models the models that are served, at least one
 * @param unknownModel what becomes of requests for others
 * @param timeScale factor of all durations in events and metrics
 * @param sampleRate share of the block hashes in {@code routed} events
 * @param maxRetries attempts beyond the first, at most
 */
public record ProxySettings(
    String router,
    String host,
    int port,
    List<ServedModel> models,
    UnknownModel unknownModel,
    Limits limits,
    Timeouts timeouts,
    ConnectionSettings connections,
    double timeScale,
    double sampleRate,
    int maxRetries) {}
