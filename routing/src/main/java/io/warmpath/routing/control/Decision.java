package io.warmpath.routing.control;

import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;

/**
 * What the law makes of one window.
 *
 * @param weights what balancers follow
 * @param log why
 * @param next state for the next window
 */
public record Decision(RoutingWeights weights, WeightDecision log, ControlState next) {}
