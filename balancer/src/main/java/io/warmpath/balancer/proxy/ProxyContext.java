package io.warmpath.balancer.proxy;

import io.netty.channel.EventLoop;
import io.warmpath.balancer.request.RequestParser;
import io.warmpath.balancer.upstream.LoopConnections;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What all requests share.
 *
 * @param limits bounds on requests
 * @param timeouts bounds on time
 * @param maxRetries attempts beyond the first, at most
 * @param models the models that are served
 * @param parser reads bodies
 * @param workers takes the parsing and hashing of long prompts off the event loops
 * @param connections connections to replicas by event loop
 * @param recorder where requests are accounted for
 * @param ids makes request ids
 */
record ProxyContext(
    Limits limits,
    Timeouts timeouts,
    int maxRetries,
    Models models,
    RequestParser parser,
    Executor workers,
    Map<EventLoop, LoopConnections> connections,
    Recorder recorder,
    RequestIds ids) {

  /** The same by other rules. */
  ProxyContext with(ProxyRules rules) {
    return new ProxyContext(
        rules.limits(),
        rules.timeouts(),
        rules.maxRetries(),
        models.with(rules.unknownModel()),
        new RequestParser(rules.limits().maxBodyBytes()),
        workers,
        connections,
        recorder,
        ids);
  }
}
