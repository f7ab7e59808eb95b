package io.warmpath.schemas.request;

import io.warmpath.schemas.Require;

/**
 * What the balancer knew when it chose a replica. Repeated in later events of the request, so that
 * no join is needed.
 *
 * @param promptTokens length of the prompt; in {@code finished} the engine's figure where it gave
 *     one
 * @param promptTokensExact whether {@code promptTokens} is a count by the model's own tokenizer or
 *     the engine, not an estimate
 * @param chosenCachedTokens predicted hit on the chosen replica: full blocks, at most prompt − 1
 * @param bestCachedTokens predicted hit on the best replica of all
 * @param bestAdmissibleCachedTokens predicted hit on the best of the admissible replicas and the
 *     chosen one
 * @param seenTokens leading tokens that any replica ever held, as far as bounded history knows
 * @param backlogTokens predicted uncached tokens of this balancer's requests on the chosen replica
 *     that have no first token yet, without this request
 * @param inFlight this balancer's open requests on the chosen replica, without this one
 * @param decisionUs time that the decision took
 */
public record RoutingFacts(
    long promptTokens,
    boolean promptTokensExact,
    long chosenCachedTokens,
    long bestCachedTokens,
    long bestAdmissibleCachedTokens,
    long seenTokens,
    long backlogTokens,
    int inFlight,
    long decisionUs) {

  public RoutingFacts {
    Require.measure(promptTokens, "prompt_tokens");
    Require.measure(chosenCachedTokens, "chosen_cached_tokens");
    Require.measure(bestCachedTokens, "best_cached_tokens");
    Require.measure(bestAdmissibleCachedTokens, "best_admissible_cached_tokens");
    Require.measure(seenTokens, "seen_tokens");
    Require.measure(backlogTokens, "backlog_tokens");
    Require.notNegative(inFlight, "in_flight");
    Require.measure(decisionUs, "decision_us");
  }

  /** The same facts with another count of the prompt. */
  public RoutingFacts withPromptTokens(long tokens, boolean exact) {
    return new RoutingFacts(
        tokens,
        exact,
        chosenCachedTokens,
        bestCachedTokens,
        bestAdmissibleCachedTokens,
        seenTokens,
        backlogTokens,
        inFlight,
        decisionUs);
  }
}
