package io.warmpath.schemas.request;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * The prompt's prefix hashes, sampled by hash value so that load is never sampled, only blocks.
 *
 * @param blockTokens tokens a block
 * @param blocks full blocks of the prompt, sampled or not
 * @param sampleRate share of the hash space kept, 0 to 1
 * @param hashesB64 the first hash, and the hashes h with h mod 1024 below {@code sampleRate ·
 *     1024}, in prompt order
 */
public record PrefixSample(
    int blockTokens,
    int blocks,
    @JsonSerialize(using = SixDecimals.class) double sampleRate,
    HashList hashesB64) {

  public PrefixSample {
    Require.notNegative(blockTokens, "prefix.block_tokens");
    Require.notNegative(blocks, "prefix.blocks");
    Require.present(hashesB64, "prefix.hashes_b64");
    Require.share(sampleRate, "prefix.sample_rate");
  }

  /** Whether a hash is in the sample of the given rate. */
  public static boolean keeps(long hash, double sampleRate) {
    return (hash & 1023) < sampleRate * 1024;
  }
}
