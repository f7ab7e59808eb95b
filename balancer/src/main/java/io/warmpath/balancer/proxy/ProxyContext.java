package io.warmpath.balancer.proxy;

import io.netty.channel.EventLoop;
import io.warmpath.balancer.request.RequestParser;
import io.warmpath.balancer.security.ApiKeys;
import io.warmpath.balancer.upstream.LoopConnections;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What all requests share.
 *
 * @param rules what holds for requests that come now
 * @param models the models that are served
 * @param parser reads bodies
 * @param workers takes the parsing and hashing of long prompts off the event loops
 * @param connections connections to replicas by event loop
 * @param recorder where requests are accounted for
 * @param ids makes request ids
 * @param admission counts the open requests
 * @param bodies counts the bytes of their bodies
 */
record ProxyContext(
    ProxyRules rules,
    Models models,
    RequestParser parser,
    Executor workers,
    Map<EventLoop, LoopConnections> connections,
    Recorder recorder,
    RequestIds ids,
    Admission admission,
    BodyMemory bodies) {

  Limits limits() {
    return rules.limits();
  }

  Timeouts timeouts() {
    return rules.timeouts();
  }

  ReceiveTimeouts receiveTimeouts() {
    return rules.receiveTimeouts();
  }

  int maxRetries() {
    return rules.maxRetries();
  }

  ApiKeys keys() {
    return rules.keys();
  }

  /** The same by other rules. */
  ProxyContext with(ProxyRules others) {
    return new ProxyContext(
        others,
        models.with(others.unknownModel()),
        models.parser(others.limits().maxBodyBytes()),
        workers,
        connections,
        recorder,
        ids,
        admission,
        bodies);
  }
}
