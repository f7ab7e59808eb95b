package io.warmpath.schemas.request;

import io.warmpath.schemas.Require;

/**
 * What every request event carries.
 *
 * @param eventTimeMs when it happened, at the balancer
 * @param requestId unique id of the request
 * @param traceId W3C trace id, or null
 * @param router name of the balancer
 * @param routerStartMs when that balancer started: tells its runs apart
 * @param eventsDropped events that this balancer lost so far in this run, so that a loss is seen
 * @param model model asked for
 * @param tenant tenant, or null
 * @param session session or conversation, or null
 * @param policy routing policy in force for this request
 * @param replica replica of this attempt; null when the request was rejected before any
 * @param attempt 0 for the first attempt, then 1, 2, …
 * @param weightsEpoch epoch of the weights in force, 0 for none
 * @param stream whether the client asked for a stream
 */
public record RequestContext(
    long eventTimeMs,
    String requestId,
    String traceId,
    String router,
    long routerStartMs,
    long eventsDropped,
    String model,
    String tenant,
    String session,
    String policy,
    String replica,
    int attempt,
    long weightsEpoch,
    boolean stream) {

  public RequestContext {
    Require.time(eventTimeMs, "event_time_ms");
    Require.present(requestId, "request_id");
    Require.present(router, "router");
    Require.time(routerStartMs, "router_start_ms");
    Require.measure(eventsDropped, "events_dropped");
    Require.present(model, "model");
    Require.present(policy, "policy");
    Require.notNegative(attempt, "attempt");
    Require.time(weightsEpoch, "weights_epoch");
  }
}
