package io.warmpath.lab.calibrate;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Prompts of random tokens: nothing of a fresh one is in any cache. */
final class ProbePrompts {

  /** Ids that every vocabulary has, above those that are often special. */
  private static final int LEAST_ID = 1_000;

  private static final int MOST_ID = 30_000;

  private final SplittableRandom random;
  private final int blockTokens;

  ProbePrompts(long seed, int blockTokens) {
    random = new SplittableRandom(seed);
    this.blockTokens = blockTokens;
  }

  int[] fresh(int tokens) {
    return random.ints(tokens, LEAST_ID, MOST_ID).toArray();
  }

  /** A prompt that begins as another one does, and then is its own. */
  int[] continued(int[] prompt, int sharedTokens, int tokens) {
    int[] own = fresh(tokens);
    System.arraycopy(prompt, 0, own, 0, sharedTokens);
    return own;
  }

  /** Tokens of a prompt that a cache can hold for it: full blocks, without the last token. */
  int cacheable(int promptTokens, double share) {
    int most = Math.min((int) (share * promptTokens), promptTokens - 1);
    return most / blockTokens * blockTokens;
  }

  /** The part of a prompt that is sent ahead, to be in the cache. */
  static int[] head(int[] prompt, int tokens) {
    return Arrays.copyOf(prompt, tokens);
  }

  /** A random time, so that probes meet steps at any point. */
  long upTo(double micros) {
    return (long) (random.nextDouble() * micros);
  }
}
