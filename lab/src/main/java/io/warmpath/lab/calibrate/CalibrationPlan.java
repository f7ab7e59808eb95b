package io.warmpath.lab.calibrate;

import java.util.List;

/**
 * What to measure.
 *
 * @param promptTokens prompt lengths of the times to first token, at least 2
 * @param cachedShares share of the prompt that the cache holds, 0 and more, below 1
 * @param concurrencies sequences that decode meanwhile; 0 = the engine is idle
 * @param decodeContexts prompt lengths of the times between tokens
 * @param decodeConcurrencies sequences that decode together
 * @param repeats how often each combination is measured
 * @param tokenBudget most tokens a step of the engine: longer prompts take several
 * @param blockTokens tokens a KV block of the engine
 * @param seed of the prompts: a second run with the same one would find them in the cache
 */
public record CalibrationPlan(
    List<Integer> promptTokens,
    List<Double> cachedShares,
    List<Integer> concurrencies,
    List<Integer> decodeContexts,
    List<Integer> decodeConcurrencies,
    int repeats,
    int tokenBudget,
    int blockTokens,
    long seed) {

  private static final int MAX_SEQUENCES = 4_096;
  private static final int MAX_REPEATS = 1_000;

  /**
   * Checks everything.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  public CalibrationPlan {
    promptTokens = List.copyOf(promptTokens);
    cachedShares = List.copyOf(cachedShares);
    concurrencies = List.copyOf(concurrencies);
    decodeContexts = List.copyOf(decodeContexts);
    decodeConcurrencies = List.copyOf(decodeConcurrencies);
    require(promptTokens.size() >= 2, "at least two prompt lengths are needed to tell a slope");
    require(promptTokens.stream().allMatch(n -> n >= 2), "a prompt must have 2 tokens at least");
    require(
        cachedShares.stream().allMatch(share -> share >= 0 && share < 1),
        "a cached share must be 0 or more and below 1");
    require(!cachedShares.isEmpty(), "at least one cached share is needed");
    require(
        concurrencies.contains(0) && concurrencies.stream().allMatch(CalibrationPlan::isCount),
        "concurrencies must be 0 to " + MAX_SEQUENCES + ", 0 among them");
    require(
        !decodeConcurrencies.isEmpty()
            && decodeConcurrencies.stream().allMatch(n -> n >= 1 && isCount(n)),
        "decoding concurrencies must be 1 to " + MAX_SEQUENCES);
    require(!decodeContexts.isEmpty(), "at least one decoding context is needed");
    require(repeats >= 1 && repeats <= MAX_REPEATS, "repeats must be 1 to " + MAX_REPEATS);
    require(tokenBudget >= 1, "the token budget must be 1 at least");
    require(blockTokens >= 1, "a block must have 1 token at least");
    int most = concurrencies.stream().mapToInt(Integer::intValue).max().orElse(0);
    require(tokenBudget > most, "the token budget must be above the concurrencies");
  }

  /** Times that are measured. */
  public int probes() {
    long firstTokens = (long) promptTokens.size() * cachedShares.size() * concurrencies.size();
    long nextTokens = (long) decodeContexts.size() * decodeConcurrencies.size();
    return Math.toIntExact((firstTokens + nextTokens) * repeats);
  }

  private static boolean isCount(int sequences) {
    return sequences >= 0 && sequences <= MAX_SEQUENCES;
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
