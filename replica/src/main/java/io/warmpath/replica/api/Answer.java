package io.warmpath.replica.api;

import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.util.Arrays;

/**
 * A made-up answer: words drawn from a seed, cut at a number of tokens. Its text, tokenized again,
 * gives the same tokens, so that the next turn finds the answer's blocks.
 *
 * @param tokens token ids
 * @param pieces the text of each token: letters, spaces and full stops, nothing that JSON escapes
 */
record Answer(int[] tokens, String[] pieces) {

  private static final String[] WORDS =
      """
      the a one each this that every other first last next warm cold fast slow long short full
      cache block prefix prompt token answer request replica router batch step queue window
      weight policy memory model reads writes keeps finds holds shares waits moves serves counts
      measures computes reuses returns learns and or then while before after where when since
      because again always often never here there above below between
      """
          .trim()
          .split("\\s+");

  private static final int SENTENCE_WORDS = 12;

  /** The answer of the given seed. Answers of one seed are prefixes of each other. */
  static Answer of(long seed, int length) {
    QuadTokenizer tokenizer = new QuadTokenizer();
    TokenBuffer tokens = new TokenBuffer(length + 8);
    long state = seed;
    for (int word = 0; tokens.size() < length; word++) {
      state += 0x9E3779B97F4A7C15L;
      String text = WORDS[(int) Long.remainderUnsigned(mixed(state), WORDS.length)];
      boolean ends = word % SENTENCE_WORDS == SENTENCE_WORDS - 1;
      // Each word but the first brings the space before it: a token always ends there.
      tokenizer.encode((word == 0 ? "" : " ") + text + (ends ? "." : ""), tokens);
    }
    int[] kept = Arrays.copyOf(tokens.array(), length);
    String[] pieces = new String[length];
    for (int i = 0; i < length; i++) {
      pieces[i] = tokenizer.decode(kept, i, i + 1);
    }
    return new Answer(kept, pieces);
  }

  /** SplitMix64's output function. */
  static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
