package io.warmpath.jobs;

import io.warmpath.jobs.source.Refusal;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * What the routing-weights job writes.
 *
 * @param weights what balancers follow
 * @param decisions why
 * @param gone models whose weights are taken back
 * @param refusals records that could not be read
 */
public record WeightsSinks(
    Sink<RoutingWeights> weights,
    Sink<WeightDecision> decisions,
    Sink<String> gone,
    Sink<Refusal> refusals) {}
