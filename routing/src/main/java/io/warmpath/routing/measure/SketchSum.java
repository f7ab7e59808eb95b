package io.warmpath.routing.measure;

import java.util.Arrays;

/**
 * Adds up many sketches: all bins lie side by side here, so that a sketch costs no more than its
 * own bins, where {@link DurationSketch#merge} walks both sketches' bins each time. It takes 17 KB,
 * so it is for one sum after the other. Not safe for concurrent use.
 */
public final class SketchSum {

  private final long[] countsByBin = new long[DurationBins.count()];
  private int lowestBin;
  private int highestBin;
  private long count;
  private long sumMicros;
  private long maxMicros;

  /** Adds all that is in a sketch, which stays as it is. */
  public void add(DurationSketch sketch) {
    if (sketch.isEmpty()) {
      return;
    }
    lowestBin = count == 0 ? sketch.lowestBin() : Math.min(lowestBin, sketch.lowestBin());
    highestBin = Math.max(highestBin, sketch.highestBin());
    sketch.addTo(countsByBin);
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
    lowestBin = count == 0 ? bin : Math.min(lowestBin, bin);
    highestBin = Math.max(highestBin, bin);
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
        DurationSketch.ofBins(countsByBin, lowestBin, highestBin, count, sumMicros, maxMicros);
    Arrays.fill(countsByBin, lowestBin, highestBin + 1, 0);
    highestBin = 0;
    count = 0;
    sumMicros = 0;
    maxMicros = 0;
    return sketch;
  }
}
