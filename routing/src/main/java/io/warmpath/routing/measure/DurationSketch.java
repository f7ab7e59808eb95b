package io.warmpath.routing.measure;

import io.warmpath.schemas.stats.Distribution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Base64;

/**
 * A mergeable distribution of durations in microseconds: quantiles within 1 % (a DDSketch with
 * integer bins, see {@link DurationBins}); count, sum and maximum exact.
 *
 * <p>Its state is a function of the values in it alone, not of the order in which they were added
 * or merged: equal contents are {@link #equals equal} and have equal bytes. Only bins that hold
 * something are kept, so that a sketch of few values is small. Not safe for concurrent use.
 */
public final class DurationSketch {

  private static final int FORMAT = 1;
  private static final int INITIAL_BINS = 8;

  /** Gaps between bins are below 2^14. */
  private static final int MAX_BYTES_A_BIN = 2 + Varint.MAX_BYTES;

  /** Quantiles are taken in these parts, so that ranks are computed with integers. */
  private static final long PARTS = 10_000;

  // Sorted bins that hold something, and how much each holds.
  private short[] bins;
  private long[] counts;
  private int size;

  private long count;
  private long sumMicros;
  private long maxMicros;

  /** A sketch of nothing. */
  public DurationSketch() {
    this(new short[INITIAL_BINS], new long[INITIAL_BINS]);
  }

  private DurationSketch(short[] bins, long[] counts) {
    this.bins = bins;
    this.counts = counts;
  }

  /**
   * Adds one duration.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public void add(long micros) {
    int at = slotFor((short) DurationBins.ofValid(micros));
    counts[at]++;
    count++;
    sumMicros = saturatedSum(sumMicros, micros);
    maxMicros = Math.max(maxMicros, micros);
  }

  /** Adds all that is in the other sketch, which stays as it is. */
  public void merge(DurationSketch other) {
    if (other.count == 0) {
      return;
    }
    mergeBins(other);
    count += other.count;
    sumMicros = saturatedSum(sumMicros, other.sumMicros);
    maxMicros = Math.max(maxMicros, other.maxMicros);
  }

  /** Adds what each bin holds to the place of its number, and sets the bit of that number. */
  void addTo(long[] countsByBin, long[] held) {
    for (int slot = 0; slot < size; slot++) {
      int bin = bins[slot];
      held[bin / Long.SIZE] |= 1L << bin;
      countsByBin[bin] += counts[slot];
    }
  }

  /**
   * The sketch of what bins hold, which then hold nothing.
   *
   * @param held a bit for each bin that holds something
   */
  static DurationSketch takenFrom(
      long[] countsByBin, long[] held, long count, long sumMicros, long maxMicros) {
    int size = 0;
    for (long bits : held) {
      size += Long.bitCount(bits);
    }
    DurationSketch sketch = new DurationSketch(new short[size], new long[size]);
    sketch.size = size;
    int slot = 0;
    for (int word = 0; word < held.length; word++) {
      for (long bits = held[word]; bits != 0; bits &= bits - 1) {
        int bin = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
        sketch.bins[slot] = (short) bin;
        sketch.counts[slot++] = countsByBin[bin];
        countsByBin[bin] = 0;
      }
      held[word] = 0;
    }
    sketch.count = count;
    sketch.sumMicros = sumMicros;
    sketch.maxMicros = maxMicros;
    return sketch;
  }

  /** A sketch of the same values that changes on its own. */
  public DurationSketch copy() {
    DurationSketch copy =
        new DurationSketch(Arrays.copyOf(bins, size), Arrays.copyOf(counts, size));
    copy.size = size;
    copy.count = count;
    copy.sumMicros = sumMicros;
    copy.maxMicros = maxMicros;
    return copy;
  }

  /** Forgets all values. */
  public void clear() {
    size = 0;
    count = 0;
    sumMicros = 0;
    maxMicros = 0;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Number of values. */
  public long count() {
    return count;
  }

  /** Exact sum in µs; {@code Long.MAX_VALUE} where it would be more. */
  public long sumMicros() {
    return sumMicros;
  }

  /** Exact maximum in µs, 0 if empty. */
  public long maxMicros() {
    return maxMicros;
  }

  /**
   * The ceil(p·n)-th smallest value within 1 %, never above the maximum and exact where it is the
   * greatest.
   *
   * @param p greater than 0, at most 1; counts to four decimals
   * @return µs, 0 if empty
   */
  public long quantile(double p) {
    long parts = Math.round(p * PARTS);
    if (parts < 1 || parts > PARTS) {
      throw new IllegalArgumentException("p must be greater than 0 and at most 1: " + p);
    }
    return count == 0 ? 0 : atRank(rank(parts));
  }

  private long rank(long parts) {
    // Split so that the product does not overflow.
    long whole = count / PARTS * parts;
    long rest = count % PARTS * parts;
    return whole + (rest + PARTS - 1) / PARTS;
  }

  private long atRank(long rank) {
    if (rank == count) {
      return maxMicros;
    }
    return Math.min(maxMicros, DurationBins.representative(bins[slotAtRank(rank)]));
  }

  private int slotAtRank(long rank) {
    long left = rank;
    int slot = 0;
    while (left > counts[slot]) {
      left -= counts[slot++];
    }
    return slot;
  }

  /** The record of this distribution without its sketch. */
  public Distribution toDistribution() {
    return distribution(null);
  }

  /** The record of this distribution with its sketch, for readers that merge windows. */
  public Distribution toDistributionWithSketch() {
    return distribution(toBase64());
  }

  private Distribution distribution(String sketch) {
    if (count == 0) {
      return sketch == null
          ? Distribution.EMPTY
          : new Distribution(0, 0, null, null, null, null, null, null, null, sketch);
    }
    RankInterval p95 = RankInterval.ofP95(count);
    // Bounds of the bins: that is the interval widened by the accuracy of the sketch.
    Long low = p95.low() == 0 ? null : DurationBins.lowest(bins[slotAtRank(p95.low())]);
    Long high =
        p95.high() == 0
            ? null
            : Math.min(maxMicros, DurationBins.highest(bins[slotAtRank(p95.high())]));
    return new Distribution(
        count,
        sumMicros,
        quantile(0.50),
        quantile(0.90),
        quantile(0.95),
        quantile(0.99),
        maxMicros,
        low,
        high,
        sketch);
  }

  /** The bytes of {@link #writeTo} as base64, after one byte for the format. */
  public String toBase64() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      bytes.write(FORMAT);
      writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /**
   * The sketch that {@link #toBase64} wrote.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static DurationSketch fromBase64(String text) {
    ByteArrayInputStream bytes = new ByteArrayInputStream(Base64.getDecoder().decode(text));
    int format = bytes.read();
    if (format != FORMAT) {
      throw new IllegalArgumentException("unknown format of sketch: " + format);
    }
    DurationSketch sketch;
    try {
      sketch = readFrom(new DataInputStream(bytes));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a sketch: " + e.getMessage(), e);
    }
    if (bytes.available() > 0) {
      throw new IllegalArgumentException("not a sketch: more follows it");
    }
    return sketch;
  }

  /** Writes a few bytes a bin: number of bins, then gap and count of each; then sum and maximum. */
  public void writeTo(DataOutput out) throws IOException {
    // Outputs are slow byte by byte.
    byte[] bytes = new byte[size * MAX_BYTES_A_BIN + 3 * Varint.MAX_BYTES];
    int at = Varint.put(size, bytes, 0);
    int previous = 0;
    for (int slot = 0; slot < size; slot++) {
      at = Varint.put(bins[slot] - previous, bytes, at);
      at = Varint.put(counts[slot], bytes, at);
      previous = bins[slot];
    }
    if (size > 0) {
      at = Varint.put(sumMicros, bytes, at);
      at = Varint.put(maxMicros, bytes, at);
    }
    out.write(bytes, 0, at);
  }

  /**
   * The sketch that {@link #writeTo} wrote.
   *
   * @throws IOException if the bytes are none, or end early
   */
  public static DurationSketch readFrom(DataInput in) throws IOException {
    DurationSketch sketch = new DurationSketch();
    int size = Varint.readAtMost(DurationBins.count(), in);
    sketch.reserve(size);
    int bin = 0;
    for (int slot = 0; slot < size; slot++) {
      int gap = Varint.readAtMost(DurationBins.count(), in);
      long held = Varint.read(in);
      bin += gap;
      if (bin >= DurationBins.count() || (gap == 0 && slot > 0) || held == 0) {
        throw new IOException("bins are not sorted or empty");
      }
      sketch.bins[slot] = (short) bin;
      sketch.counts[slot] = held;
      sketch.count += held;
      if (sketch.count < 0) {
        throw new IOException("counts overflow");
      }
    }
    sketch.size = size;
    if (size > 0) {
      sketch.sumMicros = Varint.read(in);
      sketch.maxMicros = Varint.read(in);
      if (DurationBins.of(sketch.maxMicros) != bin || sketch.sumMicros < sketch.maxMicros) {
        throw new IOException("sum or maximum do not fit the bins");
      }
    }
    return sketch;
  }

  /** The slot of a bin, made if it holds nothing yet. */
  private int slotFor(short bin) {
    int slot = 0;
    int end = size;
    while (slot < end) {
      int middle = slot + end >>> 1;
      if (bins[middle] < bin) {
        slot = middle + 1;
      } else {
        end = middle;
      }
    }
    if (slot < size && bins[slot] == bin) {
      return slot;
    }
    if (size == bins.length) {
      reserve(size + 1);
    }
    System.arraycopy(bins, slot, bins, slot + 1, size - slot);
    System.arraycopy(counts, slot, counts, slot + 1, size - slot);
    bins[slot] = bin;
    counts[slot] = 0;
    size++;
    return slot;
  }

  private void mergeBins(DurationSketch other) {
    int merged = size + binsMissingHere(other);
    reserve(merged);
    // From the back, so that what is not moved yet is never overwritten.
    int mine = size - 1;
    int theirs = other.size - 1;
    for (int to = merged - 1; theirs >= 0; to--) {
      if (mine >= 0 && bins[mine] > other.bins[theirs]) {
        bins[to] = bins[mine];
        counts[to] = counts[mine--];
      } else if (mine >= 0 && bins[mine] == other.bins[theirs]) {
        bins[to] = bins[mine];
        counts[to] = counts[mine--] + other.counts[theirs--];
      } else {
        bins[to] = other.bins[theirs];
        counts[to] = other.counts[theirs--];
      }
    }
    size = merged;
  }

  private int binsMissingHere(DurationSketch other) {
    int missing = 0;
    int mine = 0;
    for (int theirs = 0; theirs < other.size; theirs++) {
      while (mine < size && bins[mine] < other.bins[theirs]) {
        mine++;
      }
      if (mine == size || bins[mine] != other.bins[theirs]) {
        missing++;
      }
    }
    return missing;
  }

  private void reserve(int slots) {
    if (slots > bins.length) {
      int room = Math.max(slots, 2 * bins.length);
      bins = Arrays.copyOf(bins, room);
      counts = Arrays.copyOf(counts, room);
    }
  }

  /** Saturates: an absurd duration must not turn the sum around, nor make it depend on order. */
  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DurationSketch that
        && count == that.count
        && sumMicros == that.sumMicros
        && maxMicros == that.maxMicros
        && Arrays.equals(bins, 0, size, that.bins, 0, that.size)
        && Arrays.equals(counts, 0, size, that.counts, 0, that.size);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * (31 * count + sumMicros) + maxMicros);
  }

  @Override
  public String toString() {
    return "DurationSketch[count=" + count + ", sumMicros=" + sumMicros + "]";
  }
}
