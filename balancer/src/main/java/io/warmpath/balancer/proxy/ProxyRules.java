package io.warmpath.balancer.proxy;

/**
 * What may change while a proxy runs; each request keeps to what held when it came.
 *
 * @param limits bounds on requests
 * @param timeouts bounds on time
 * @param maxRetries attempts beyond the first, at most
 * @param unknownModel what becomes of requests for models that are not served
 */
public record ProxyRules(
    Limits limits, Timeouts timeouts, int maxRetries, UnknownModel unknownModel) {}
