package io.warmpath.routing.control;

import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.routing.measure.SketchSum;
import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * What is kept of a replica's first tokens to learn its speed from: {@link #BINS} logarithmic bins
 * of the load {@code x}, in tokens, each with its count, the sum of {@code x} and the distribution
 * of the time to first token. Mergeable in any order. Not safe for concurrent use.
 */
public final class FitBins {

  /** Number of bins; two to each power of two, from 32 to about 92,700 tokens. */
  public static final int BINS = 24;

  /** Loads beyond this, a thousand times the longest prompts, count as this. */
  private static final long MAX_TOKENS = 1L << 32;

  /** Loads of 2 to the power of this are in the first two bins, with all below. */
  private static final int LOWEST_POWER = 5;

  private static final long[] LOWEST_TOKENS = lowestTokens();

  private final long[] sumTokens = new long[BINS];
  private final DurationSketch[] ttft = new DurationSketch[BINS];

  private static long[] lowestTokens() {
    long[] lowest = new long[BINS];
    for (int bin = 1; bin < BINS; bin++) {
      long power = 32L << (bin / 2);
      // 46341 / 2^15 is the square root of 2.
      lowest[bin] = bin % 2 == 0 ? power : power * 46341 >> 15;
    }
    return lowest;
  }

  /**
   * The load that a time to first token is explained by.
   *
   * @param uncachedTokens prompt tokens to compute
   * @param backlogTokens uncached tokens of requests ahead of it
   * @param backlogShare share of them that a new request waits for, 0 to 1
   */
  public static long load(long uncachedTokens, long backlogTokens, double backlogShare) {
    return Math.max(0, uncachedTokens) + (long) (backlogShare * Math.max(0, backlogTokens));
  }

  /**
   * Adds one first token.
   *
   * @param loadTokens the {@link #load}, at least 0
   * @param upstreamTtftMicros dispatch to first token, at least 0
   */
  public void add(long loadTokens, long upstreamTtftMicros) {
    long tokens = counted(loadTokens);
    int bin = binOf(tokens);
    if (ttft[bin] == null) {
      ttft[bin] = new DurationSketch();
    }
    ttft[bin].add(upstreamTtftMicros);
    sumTokens[bin] += tokens;
  }

  private static long counted(long loadTokens) {
    if (loadTokens < 0) {
      throw new IllegalArgumentException("negative load: " + loadTokens + " tokens");
    }
    return Math.min(loadTokens, MAX_TOKENS);
  }

  /** Two bins to each power of two: the highest bit says which two, and one look which of them. */
  private static int binOf(long tokens) {
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(tokens | 1);
    int lower = Math.max(0, Math.min(BINS - 2, 2 * (power - LOWEST_POWER)));
    return tokens >= LOWEST_TOKENS[lower + 1] ? lower + 1 : lower;
  }

  /** Adds all that is in the other bins, which stay as they are. */
  public void merge(FitBins other) {
    for (int bin = 0; bin < BINS; bin++) {
      if (other.ttft[bin] == null) {
        continue;
      }
      if (ttft[bin] == null) {
        ttft[bin] = other.ttft[bin].copy();
      } else {
        ttft[bin].merge(other.ttft[bin]);
      }
      sumTokens[bin] += other.sumTokens[bin];
    }
  }

  /** Adds up many, as {@link SketchSum} does sketches. */
  public static final class Sum {

    private final long[] sumTokens = new long[BINS];
    private final SketchSum[] ttft = new SketchSum[BINS];

    /** Adds all that is in the bins, which stay as they are. */
    public void add(FitBins bins) {
      for (int bin = 0; bin < BINS; bin++) {
        if (bins.ttft[bin] != null) {
          sumOf(bin).add(bins.ttft[bin]);
          sumTokens[bin] += bins.sumTokens[bin];
        }
      }
    }

    /** Adds one first token, as {@link FitBins#add} does. */
    public void add(long loadTokens, long upstreamTtftMicros) {
      long tokens = counted(loadTokens);
      int bin = binOf(tokens);
      sumOf(bin).add(upstreamTtftMicros);
      sumTokens[bin] += tokens;
    }

    private SketchSum sumOf(int bin) {
      if (ttft[bin] == null) {
        ttft[bin] = new SketchSum();
      }
      return ttft[bin];
    }

    /** The bins of all that was added, after which this is empty. */
    public FitBins take() {
      FitBins sum = new FitBins();
      for (int bin = 0; bin < BINS; bin++) {
        if (ttft[bin] != null && !ttft[bin].isEmpty()) {
          sum.ttft[bin] = ttft[bin].take();
          sum.sumTokens[bin] = sumTokens[bin];
          sumTokens[bin] = 0;
        }
      }
      return sum;
    }
  }

  /** The same content that changes on its own. */
  public FitBins copy() {
    FitBins copy = new FitBins();
    copy.merge(this);
    return copy;
  }

  public boolean isEmpty() {
    return count() == 0;
  }

  /** First tokens in all bins. */
  public long count() {
    long count = 0;
    for (int bin = 0; bin < BINS; bin++) {
      count += count(bin);
    }
    return count;
  }

  /** First tokens in one bin. */
  long count(int bin) {
    return ttft[bin] == null ? 0 : ttft[bin].count();
  }

  /** Mean load in a bin that is not empty. */
  double meanTokens(int bin) {
    return (double) sumTokens[bin] / count(bin);
  }

  /** Median time to first token in a bin that is not empty. */
  long medianMicros(int bin) {
    return ttft[bin].quantile(0.5);
  }

  /** Writes the bins that hold something. */
  public void writeTo(DataOutput out) throws IOException {
    int held = 0;
    for (int bin = 0; bin < BINS; bin++) {
      held += ttft[bin] == null ? 0 : 1;
    }
    out.writeByte(held);
    for (int bin = 0; bin < BINS; bin++) {
      if (ttft[bin] != null) {
        out.writeByte(bin);
        Varint.write(sumTokens[bin], out);
        ttft[bin].writeTo(out);
      }
    }
  }

  /**
   * The bins that {@link #writeTo} wrote.
   *
   * @throws IOException if the bytes are none, or end early
   */
  public static FitBins readFrom(DataInput in) throws IOException {
    FitBins bins = new FitBins();
    int held = in.readUnsignedByte();
    int previous = -1;
    for (int i = 0; i < held; i++) {
      int bin = in.readUnsignedByte();
      if (bin <= previous || bin >= BINS) {
        throw new IOException("bin " + bin + " after " + previous);
      }
      bins.sumTokens[bin] = Varint.read(in);
      bins.ttft[bin] = DurationSketch.readFrom(in);
      previous = bin;
    }
    return bins;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FitBins that
        && Arrays.equals(sumTokens, that.sumTokens)
        && Arrays.equals(ttft, that.ttft);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(sumTokens) + Arrays.hashCode(ttft);
  }

  @Override
  public String toString() {
    return "FitBins[count=" + count() + "]";
  }
}
