package io.warmpath.balancer.prompt;

import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.Tokenizer;

/** How the balancer counts the tokens of a model's prompts. */
public enum TokenizerKind {
  /** As the modelled replicas do: exact there, and their cache events name the same blocks. */
  QUAD {
    @Override
    Tokenizer tokenizer() {
      return new QuadTokenizer();
    }
  },
  /**
   * Four bytes of text a token, an approximation for engines whose tokenizer is not at hand. Its
   * blocks live in a namespace of their own and are never compared with cache events.
   */
  BYTES {
    @Override
    Tokenizer tokenizer() {
      return new BytesTokenizer();
    }
  };

  abstract Tokenizer tokenizer();

  /** Whether it counts as the engine does. */
  public boolean exact() {
    return this == QUAD;
  }
}
