package io.warmpath.routing.shadow;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Hits of a window, estimated from the sampled blocks, and how far off the estimate may be.
 *
 * <p>How many blocks were asked for is known exactly; only the misses are scaled up:
 *
 * <pre>
 * hits = blocks − sampled misses / share
 * </pre>
 *
 * A block that every prompt begins with is asked for all the time, so that by luck it would lift
 * all estimated hits or none; but it hardly ever misses, and so hardly matters here. (SHARDS
 * corrects the same by adding what is missing to the hits at the smallest distance; the two are one
 * and the same.)
 *
 * <p>Each block is in the sample or not, independently of others, with all its misses. Sampled
 * blocks are dealt into {@link SampleRate#GROUPS} groups; the scatter of the groups' sums estimates
 * the variance whatever the number of misses a block has (random groups: Wolter, Introduction to
 * Variance Estimation, ch. 2).
 */
final class SampledHits {

  /** 97.5 % quantile of Student's t with 15 degrees of freedom. */
  private static final double T = 2.131;

  private final SampleRate rate;
  private final long[] missedTokens = new long[SampleRate.GROUPS];
  private long tokensInBlocks;
  private int largestBlock;

  SampledHits(SampleRate rate) {
    this.rate = rate;
  }

  /** Adds a prompt of which the first {@code matched} known blocks were found. */
  void add(SampledPrompt prompt, int matched) {
    long[] hashes = prompt.hashes();
    for (int i = Math.max(matched, prompt.unsampled()); i < hashes.length; i++) {
      missedTokens[SampleRate.groupOf(hashes[i])] += prompt.blockTokens();
    }
    tokensInBlocks += prompt.tokensInBlocks();
    largestBlock = Math.max(largestBlock, prompt.blockTokens());
  }

  /** Estimated tokens found. */
  long tokens() {
    double hits = tokensInBlocks - missed() / rate.share();
    return Math.min(tokensInBlocks, Math.max(0, Math.round(hits)));
  }

  private long missed() {
    return Arrays.stream(missedTokens).sum();
  }

  /** Half width of the 95 % interval of {@link #tokens}, from which blocks are in the sample. */
  double tokensError() {
    double mean = (double) missed() / SampleRate.GROUPS;
    double squares = 0;
    for (long group : missedTokens) {
      squares += (group - mean) * (group - mean);
    }
    double variance = SampleRate.GROUPS * squares / (SampleRate.GROUPS - 1);
    // Where nothing missed, a block or so may all the same.
    double least = (double) largestBlock * largestBlock;
    double share = rate.share();
    return T * Math.sqrt((1 - share) * Math.max(variance, least)) / share;
  }

  void clear() {
    Arrays.fill(missedTokens, 0);
    tokensInBlocks = 0;
    largestBlock = 0;
  }

  void writeTo(DataOutput out) throws IOException {
    for (long group : missedTokens) {
      out.writeLong(group);
    }
    out.writeLong(tokensInBlocks);
    out.writeInt(largestBlock);
  }

  void readFrom(DataInput in) throws IOException {
    for (int group = 0; group < missedTokens.length; group++) {
      missedTokens[group] = in.readLong();
    }
    tokensInBlocks = in.readLong();
    largestBlock = in.readInt();
  }
}
