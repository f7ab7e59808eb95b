package io.warmpath.routing.measure;

/**
 * Adds up many sketches: all bins lie side by side here, so that a sketch costs no more than its
 * own bins, where {@link DurationSketch#merge} walks both sketches' bins each time. Of each bin a
 * bit says whether it holds something, so that the many between that hold nothing are not looked
 * at. It takes 17 KB, so it is for one sum after the other. Not safe for concurrent use.
 */
public final class SketchSum {

  private final long[] countsByBin = new long[DurationBins.count()];
  private final long[] held = new long[DurationBins.count() / Long.SIZE + 1];
  private long count;
  private long sumMicros;
  private long maxMicros;

  /** Adds all that is in a sketch, which stays as it is. */
  public void add(DurationSketch sketch) {
    if (sketch.isEmpty()) {
      return;
    }
    sketch.addTo(countsByBin, held);
    count += sketch.count();
    sumMicros = DurationSketch.saturatedSum(sumMicros, sketch.sumMicros());
    maxMicros = Math.max(maxMicros, sketch.maxMicros());
  }

  /**
   * Adds one duration.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public void add(long micros) {
    int bin = DurationBins.ofValid(micros);
    held[bin / Long.SIZE] |= 1L << bin;
    countsByBin[bin]++;
    count++;
    sumMicros = DurationSketch.saturatedSum(sumMicros, micros);
    maxMicros = Math.max(maxMicros, micros);
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** The sketch of all that was added, after which this is empty. */
  public DurationSketch take() {
    if (count == 0) {
      return new DurationSketch();
    }
    DurationSketch sketch =
        DurationSketch.takenFrom(countsByBin, held, count, sumMicros, maxMicros);
    count = 0;
    sumMicros = 0;
    maxMicros = 0;
    return sketch;
  }
}
