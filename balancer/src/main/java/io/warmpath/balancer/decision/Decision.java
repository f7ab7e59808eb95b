package io.warmpath.balancer.decision;

import io.warmpath.balancer.upstream.Replica;
import io.warmpath.schemas.request.RoutingFacts;

/**
 * Where a request goes.
 *
 * @param replica chosen replica
 * @param policy policy that chose it
 * @param weightsEpoch epoch of the weights in force, 0 for none
 * @param facts what was known
 * @param open the request's load on the replica; to be closed when the attempt is over
 * @param view all replicas as the policy saw them; null unless the query asked for it
 */
public record Decision(
    Replica replica,
    String policy,
    long weightsEpoch,
    RoutingFacts facts,
    OpenRequest open,
    ExplainedView view) {}
