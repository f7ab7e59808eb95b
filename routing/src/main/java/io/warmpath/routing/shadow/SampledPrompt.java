package io.warmpath.routing.shadow;

import io.warmpath.schemas.request.PrefixSample;
import java.util.Arrays;

/**
 * What is known of a prompt: its length exactly, its blocks by a sample and the first one.
 *
 * @param tokens length
 * @param blockTokens tokens a block, at least 1
 * @param blocks full blocks, known or not
 * @param hashes the known blocks in prompt order, at most {@code blocks} of them
 * @param unsampled how many of them lead without being in the sample: 1 if the first block is known
 *     but not sampled, else 0
 */
public record SampledPrompt(
    long tokens, int blockTokens, int blocks, long[] hashes, int unsampled) {

  public SampledPrompt {
    if (tokens < 0 || blockTokens < 1 || blocks < 0 || hashes.length > blocks) {
      throw new IllegalArgumentException(
          "no prompt: %d tokens, %d blocks of %d, %d of them known"
              .formatted(tokens, blocks, blockTokens, hashes.length));
    }
  }

  /** Whether a sample can be narrowed down to a rate. */
  public static boolean covers(PrefixSample sample, SampleRate rate) {
    return sample.blockTokens() > 0 && sample.sampleRate() >= rate.rate();
  }

  /**
   * A prompt of {@code tokens} tokens by the blocks of a sample that {@link #covers} the rate. A
   * sample that claims more than the prompt can hold is cut.
   */
  public static SampledPrompt of(long tokens, PrefixSample sample, SampleRate rate) {
    int blocks = (int) Math.min(sample.blocks(), tokens / sample.blockTokens());
    return of(tokens, sample.blockTokens(), blocks, sample.hashesB64().toArray(), rate);
  }

  /** The same from hashes in prompt order, the first block among them if it is known. */
  static SampledPrompt of(long tokens, int blockTokens, int blocks, long[] known, SampleRate rate) {
    long[] hashes = new long[Math.min(known.length, blocks)];
    int kept = 0;
    int unsampled = 0;
    for (int i = 0; i < known.length && kept < hashes.length; i++) {
      boolean sampled = rate.keeps(known[i]);
      if (sampled || i == 0) {
        hashes[kept++] = known[i];
        unsampled += sampled ? 0 : 1;
      }
    }
    return new SampledPrompt(tokens, blockTokens, blocks, Arrays.copyOf(hashes, kept), unsampled);
  }

  /** Blocks in the sample. */
  int sampled() {
    return hashes.length - unsampled;
  }

  /** Sampled blocks among the first {@code matched} known ones. */
  int sampledOf(int matched) {
    return Math.max(0, matched - unsampled);
  }

  /**
   * Estimated leading blocks that a cache holds, of which the first {@code matched} known ones are
   * there: their share of the sampled ones, and the first at least. Rising in {@code matched}, so
   * that replicas are ranked alike, and exact where all blocks are sampled.
   *
   * @param hitShare what to take where no block of the prompt is sampled, 0 to 1
   */
  int cachedBlocks(int matched, double hitShare) {
    if (matched == 0 && hashes.length > 0) {
      return 0;
    }
    double share = sampled() == 0 ? hitShare : (double) sampledOf(matched) / sampled();
    return (int) Math.max(Math.min(blocks, 1), Math.round(share * blocks));
  }

  /** Tokens in full blocks: all that could come from a cache. */
  long tokensInBlocks() {
    return (long) blocks * blockTokens;
  }
}
