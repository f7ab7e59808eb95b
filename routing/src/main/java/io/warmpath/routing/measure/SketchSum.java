package io.warmpath.routing.measure;

/**
 * Adds up many sketches: one count for every bin there is, so that a sketch costs its own bins and
 * not those of the sum so far. Kept and used again, as it is large. Not safe for concurrent use.
 */
public final class SketchSum {

  private final long[] countByBin = new long[DurationBins.count()];
  private int lowest = Integer.MAX_VALUE;
  private int highest = -1;
  private int distinct;
  private long sumMicros;
  private long maxMicros;

  /** Adds all that is in a sketch, which stays as it is. */
  public void add(DurationSketch sketch) {
    if (sketch.size == 0) {
      return;
    }
    for (int slot = 0; slot < sketch.size; slot++) {
      int bin = sketch.bins[slot];
      distinct += countByBin[bin] == 0 ? 1 : 0;
      countByBin[bin] += sketch.counts[slot];
    }
    lowest = Math.min(lowest, sketch.bins[0]);
    highest = Math.max(highest, sketch.bins[sketch.size - 1]);
    sumMicros = DurationSketch.saturatedSum(sumMicros, sketch.sumMicros());
    maxMicros = Math.max(maxMicros, sketch.maxMicros());
  }

  public boolean isEmpty() {
    return distinct == 0;
  }

  /** The sum, as merging the sketches one by one makes it. Nothing is left here. */
  public DurationSketch take() {
    short[] bins = new short[distinct];
    long[] counts = new long[distinct];
    long count = 0;
    int slot = 0;
    for (int bin = lowest; bin <= highest; bin++) {
      if (countByBin[bin] != 0) {
        bins[slot] = (short) bin;
        counts[slot++] = countByBin[bin];
        count += countByBin[bin];
        countByBin[bin] = 0;
      }
    }
    DurationSketch sum = new DurationSketch(bins, counts, count, sumMicros, maxMicros);
    lowest = Integer.MAX_VALUE;
    highest = -1;
    distinct = 0;
    sumMicros = 0;
    maxMicros = 0;
    return sum;
  }
}
