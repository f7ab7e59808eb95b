package io.warmpath.console.state;

import java.time.Duration;

/**
 * How much the console keeps, and for how long. All state is bounded, whatever arrives.
 *
 * @param staleAfter age of a model's newest window from which its figures count as stale
 * @param expiry how long a row outlives the newest window of its size (page) or the clock (metrics)
 * @param retention how long anything is kept at all
 * @param maxAhead how far a window may end after the clock; later ones are refused
 * @param maxModels models kept
 * @param maxRowsPerModel rows kept for each model, over all window sizes
 * @param maxWindowSizes window sizes kept for each model
 * @param maxReplicasWithHistory replicas of a model whose past weights are kept
 * @param maxShadowPolicies policies of a model whose shadow windows are kept
 * @param maxDecisionSteps steps of a model's past weight decisions that are kept, over all
 *     decisions, replicas and arms
 * @param maxNameLength longest model, policy or replica name in UTF-16 units
 */
public record StateLimits(
    Duration staleAfter,
    Duration expiry,
    Duration retention,
    Duration maxAhead,
    int maxModels,
    int maxRowsPerModel,
    int maxWindowSizes,
    int maxReplicasWithHistory,
    int maxShadowPolicies,
    int maxDecisionSteps,
    int maxNameLength) {

  public static final StateLimits DEFAULTS =
      new StateLimits(
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          Duration.ofMinutes(15),
          Duration.ofMinutes(2),
          32,
          4096,
          6,
          64,
          32,
          20_000,
          256);
}
