package io.warmpath.console.state;

import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.List;

/**
 * What monitoring may be told of a model: nothing that has expired.
 *
 * @param model name
 * @param rows newest row of each policy, replica and window size, in a fixed order
 * @param weights newest weights, whether or not their lease has run out; or null
 * @param shadow newest shadow window of each policy
 * @param decisions weight decisions that are kept, oldest first
 */
public record FreshResults(
    String model,
    List<WindowRow> rows,
    RoutingWeights weights,
    List<ShadowStats> shadow,
    List<WeightDecision> decisions) {}
