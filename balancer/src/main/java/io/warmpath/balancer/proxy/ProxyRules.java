package io.warmpath.balancer.proxy;

import io.netty.handler.ssl.SslContext;
import io.warmpath.balancer.security.ApiKeys;

/**
 * What may change while a proxy runs; each request keeps to what held when it came.
 *
 * @param limits bounds on requests
 * @param timeouts bounds on time
 * @param receiveTimeouts bounds on the time that clients take to send
 * @param maxRetries attempts beyond the first, at most
 * @param unknownModel what becomes of requests for models that are not served
 * @param keys the keys that clients need
 * @param tls encrypts clients' connections, null for not at all
 */
public record ProxyRules(
    Limits limits,
    Timeouts timeouts,
    ReceiveTimeouts receiveTimeouts,
    int maxRetries,
    UnknownModel unknownModel,
    ApiKeys keys,
    SslContext tls) {}
