package io.warmpath.lab.calibrate;

/**
 * What one combination of the plan gave: the median over its repeats, and what an engine had to do
 * meanwhile.
 *
 * @param kind what was timed
 * @param promptTokens length of the prompts
 * @param cachedTokens of them from the cache
 * @param decoding sequences that decoded together; at a first token, beside the probe
 * @param contextTokens tokens of context that these read in one step, all together
 * @param measuredUs the median
 * @param spreadUs median distance from it, 0 for a single repeat
 * @param repeats how often it was measured
 */
public record Observation(
    Kind kind,
    int promptTokens,
    int cachedTokens,
    int decoding,
    double contextTokens,
    double measuredUs,
    double spreadUs,
    int repeats) {

  /** What was timed. */
  public enum Kind {
    /** From sending a prompt to an idle engine to its first token. */
    FIRST_TOKEN,
    /** The same beside sequences that decode: the prompt also waits for the step under way. */
    FIRST_TOKEN_BESIDE_DECODING,
    /** From one token to the next. */
    NEXT_TOKEN
  }

  /** How much of each constant is in the time, in the order of {@link Constant}. */
  double[] shares(int tokenBudget) {
    return kind == Kind.NEXT_TOKEN ? nextTokenShares() : firstTokenShares(tokenBudget);
  }

  private double[] nextTokenShares() {
    double[] shares = new double[Constant.COUNT];
    shares[Constant.STEP.ordinal()] = 1;
    shares[Constant.DECODE_SEQUENCE.ordinal()] = decoding;
    shares[Constant.DECODE_CONTEXT_TOKEN.ordinal()] = contextTokens;
    return shares;
  }

  private double[] firstTokenShares(int tokenBudget) {
    // On average half a step is left of the one under way when the prompt comes.
    double steps = decoding == 0 ? 0 : 0.5;
    double pairs = 0;
    // Decoding sequences are served first: they take a token each of the budget.
    int chunkTokens = tokenBudget - decoding;
    for (int computed = cachedTokens; computed < promptTokens; ) {
      int tokens = Math.min(chunkTokens, promptTokens - computed);
      pairs += (double) tokens * computed + (double) tokens * (tokens + 1) / 2;
      computed += tokens;
      steps++;
    }
    double[] shares = new double[Constant.COUNT];
    shares[Constant.REQUEST.ordinal()] = 1;
    shares[Constant.STEP.ordinal()] = steps;
    shares[Constant.PREFILL_TOKEN.ordinal()] = promptTokens - cachedTokens;
    shares[Constant.DECODE_SEQUENCE.ordinal()] = steps * decoding;
    shares[Constant.DECODE_CONTEXT_TOKEN.ordinal()] = steps * contextTokens;
    shares[Constant.PREFILL_PAIR.ordinal()] = pairs;
    return shares;
  }
}
