package io.warmpath.routing.shadow;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How far the share of computed tokens would differ if the same traffic were played again with
 * other small decisions: the scatter of consecutive batches of requests (batch means: Law,
 * Simulation Modeling and Analysis, 9.5.3). One request that goes elsewhere takes later ones of its
 * conversation along, so that requests on their own would scatter too little. What the traffic
 * itself changes within a window scatters too, so that this is rather too much.
 *
 * <p>There are {@link #BATCHES} / 2 to {@link #BATCHES} batches, of twice as many requests each
 * time that they are full.
 */
final class BatchMeans {

  private static final int BATCHES = 32;

  /** With fewer than this, nothing is said. */
  static final int FEWEST_BATCHES = BATCHES / 2;

  /** 97.5 % quantile of Student's t with 15 degrees of freedom, those of the fewest batches. */
  private static final double T = 2.131;

  private final double[] promptTokens = new double[BATCHES];
  private final double[] uncachedTokens = new double[BATCHES];
  private int full;
  private long perBatch = 1;
  private long inLast;

  void add(long prompt, long uncached) {
    if (full == BATCHES) {
      mergePairs();
    }
    promptTokens[full] += prompt;
    uncachedTokens[full] += uncached;
    if (++inLast == perBatch) {
      inLast = 0;
      full++;
    }
  }

  private void mergePairs() {
    full = BATCHES / 2;
    perBatch *= 2;
    for (int i = 0; i < full; i++) {
      promptTokens[i] = promptTokens[2 * i] + promptTokens[2 * i + 1];
      uncachedTokens[i] = uncachedTokens[2 * i] + uncachedTokens[2 * i + 1];
    }
    Arrays.fill(promptTokens, full, BATCHES, 0);
    Arrays.fill(uncachedTokens, full, BATCHES, 0);
  }

  /**
   * Half width of the 95 % interval of the computed tokens, given the prompts' (Cochran, Sampling
   * Techniques, 6.4: a ratio of sums over batches). Empty where there are fewer than {@link
   * #FEWEST_BATCHES}, whose own scatter is too little known.
   */
  OptionalDouble uncachedTokensError() {
    double prompts = Arrays.stream(promptTokens).sum();
    int batches = full + (inLast > 0 ? 1 : 0);
    if (batches < FEWEST_BATCHES) {
      return OptionalDouble.empty();
    }
    double ratio = prompts == 0 ? 0 : Arrays.stream(uncachedTokens).sum() / prompts;
    double squares = 0;
    for (int i = 0; i < batches; i++) {
      double residual = uncachedTokens[i] - ratio * promptTokens[i];
      squares += residual * residual;
    }
    return OptionalDouble.of(T * Math.sqrt(squares * batches / (batches - 1)));
  }

  void clear() {
    Arrays.fill(promptTokens, 0);
    Arrays.fill(uncachedTokens, 0);
    full = 0;
    perBatch = 1;
    inLast = 0;
  }

  void writeTo(DataOutput out) throws IOException {
    for (int i = 0; i < BATCHES; i++) {
      out.writeDouble(promptTokens[i]);
      out.writeDouble(uncachedTokens[i]);
    }
    out.writeInt(full);
    out.writeLong(perBatch);
    out.writeLong(inLast);
  }

  void readFrom(DataInput in) throws IOException {
    for (int i = 0; i < BATCHES; i++) {
      promptTokens[i] = in.readDouble();
      uncachedTokens[i] = in.readDouble();
    }
    full = in.readInt();
    perBatch = in.readLong();
    inLast = in.readLong();
  }
}
