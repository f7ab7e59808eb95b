package io.warmpath.balancer.prompt;

/**
 * A prompt as routing sees it.
 *
 * @param hashes chained hashes of the full blocks, first block first
 * @param blockTokens tokens a block
 * @param tokens length of the prompt
 * @param exact whether {@code tokens} is a count by the model's own tokenizer
 */
public record PromptBlocks(long[] hashes, int blockTokens, int tokens, boolean exact) {

  /** Full blocks of the prompt. */
  public int blocks() {
    return hashes.length;
  }

  /** Tokens that a replica need not compute if it holds so many blocks: it computes the last. */
  public long cachedTokens(int cachedBlocks) {
    return Math.max(0, Math.min((long) cachedBlocks * blockTokens, tokens - 1L));
  }
}
