package io.warmpath.routing.loss;

import io.warmpath.schemas.stats.LostTokens;

/**
 * Where the tokens of one prompt went. The parts always add up: {@code prompt = delivered +
 * index_over − index_under + routing + load_justified + capacity + never_seen}.
 *
 * @param prompt prompt tokens
 * @param delivered of them taken from the cache, at most {@code prompt}
 * @param lost what became of the rest
 * @param avoidable tokens that the best admissible replica would have saved beyond those delivered
 */
public record PromptLoss(long prompt, long delivered, LostTokens lost, long avoidable) {

  /**
   * Accounts for one finished request. What is known of a prompt may contradict itself, since
   * predictions are made from different histories: {@code seen} is first raised to {@code best} and
   * capped at the prompt, then each of the others is capped by the one before it. Negative values
   * count as 0.
   *
   * @param prompt prompt tokens
   * @param seen leading tokens that any replica ever held
   * @param best most leading tokens that any replica was predicted to hold
   * @param bestAdmissible the same over the admissible replicas and the chosen one
   * @param chosen leading tokens that the chosen replica was predicted to hold
   * @param delivered tokens that the engine took from its cache
   */
  public static PromptLoss of(
      long prompt, long seen, long best, long bestAdmissible, long chosen, long delivered) {
    long promptTokens = Math.max(0, prompt);
    long seenTokens = capped(Math.max(seen, best), promptTokens);
    long bestTokens = capped(best, seenTokens);
    long admissibleTokens = capped(bestAdmissible, bestTokens);
    long chosenTokens = capped(chosen, admissibleTokens);
    long deliveredTokens = capped(delivered, promptTokens);
    LostTokens lost =
        new LostTokens(
            promptTokens - seenTokens,
            seenTokens - bestTokens,
            bestTokens - admissibleTokens,
            admissibleTokens - chosenTokens,
            Math.max(0, chosenTokens - deliveredTokens),
            Math.max(0, deliveredTokens - chosenTokens));
    long avoidable = Math.max(0, admissibleTokens - deliveredTokens);
    return new PromptLoss(promptTokens, deliveredTokens, lost, avoidable);
  }

  private static long capped(long value, long bound) {
    return Math.max(0, Math.min(value, bound));
  }
}
