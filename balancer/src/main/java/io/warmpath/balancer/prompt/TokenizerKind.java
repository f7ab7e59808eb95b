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
  },
  /**
   * A replica is asked for the tokens of each prompt. What it does not say in time, and until it
   * says it, is counted by bytes.
   */
  ENGINE {
    @Override
    Tokenizer tokenizer() {
      return BYTES.tokenizer();
    }
  };

  /** What counts without asking anybody. */
  abstract Tokenizer tokenizer();

  /** Whether it counts as the engine does, so that cache events name the same blocks. */
  public boolean exact() {
    return this != BYTES;
  }

  /** Whether {@link #tokenizer()} does. */
  boolean exactAtOnce() {
    return this == QUAD;
  }
}
