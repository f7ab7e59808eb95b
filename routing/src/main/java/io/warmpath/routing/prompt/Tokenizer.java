package io.warmpath.routing.prompt;

/** Turns text into token ids, the same everywhere it is used for one model. */
public interface Tokenizer {

  /** Name in configurations. */
  String name();

  /** Appends the tokens of {@code text} to {@code out}. */
  void encode(String text, TokenBuffer out);

  /** Text of the given tokens. */
  String decode(int[] tokens, int from, int to);
}
