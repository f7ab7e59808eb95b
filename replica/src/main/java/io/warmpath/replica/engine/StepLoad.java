package io.warmpath.replica.engine;

/** What one step computes, in the terms of {@link EngineProfile#stepUs}. */
final class StepLoad {

  private long prefillTokens;
  private long prefillPairs;
  private int decodeSequences;
  private long decodeContextTokens;

  void clear() {
    prefillTokens = 0;
    prefillPairs = 0;
    decodeSequences = 0;
    decodeContextTokens = 0;
  }

  void decode(int contextTokens) {
    decodeSequences++;
    decodeContextTokens += contextTokens;
  }

  /** A chunk of {@code tokens} after {@code computed} ones; each attends to all up to itself. */
  void prefill(int computed, int tokens) {
    prefillTokens += tokens;
    prefillPairs += (long) tokens * computed + (long) tokens * (tokens + 1) / 2;
  }

  double us(EngineProfile profile) {
    return profile.stepUs(prefillTokens, decodeSequences, decodeContextTokens, prefillPairs);
  }
}
