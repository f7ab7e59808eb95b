package io.warmpath.schemas.request;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * The prompt's prefix hashes, sampled by hash value so that load is never sampled, only blocks.
 *
 * @param blockTokens tokens a block
 * @param blocks full blocks of the prompt, sampled or not
 * @param sampleRate share of the hash space kept, 0 to 1
 * @param hashesB64 the hashes h with h mod 1024 below {@code sampleRate · 1024}, in prompt order
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
    if (!(sampleRate >= 0 && sampleRate <= 1)) {
      throw new InvalidRecordException(
          Reason.OUT_OF_RANGE, "prefix.sample_rate is not between 0 and 1: " + sampleRate);
    }
  }

  /** Whether a hash is in the sample of the given rate. */
  public static boolean keeps(long hash, double sampleRate) {
    return (hash & 1023) < sampleRate * 1024;
  }
}
