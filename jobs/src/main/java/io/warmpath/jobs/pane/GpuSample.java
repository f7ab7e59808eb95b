package io.warmpath.jobs.pane;

import io.warmpath.schemas.cache.ReplicaTelemetry.Source;
import java.util.Comparator;

/**
 * A replica's memory at one time.
 *
 * @param timeMs when
 * @param usedBytes memory in use
 * @param totalBytes memory there is
 * @param source where the figures come from
 */
public record GpuSample(long timeMs, long usedBytes, long totalBytes, Source source) {

  /** By time; by content where times are equal, so that no order of arrival matters. */
  private static final Comparator<GpuSample> ORDER =
      Comparator.comparingLong(GpuSample::timeMs)
          .thenComparingLong(GpuSample::usedBytes)
          .thenComparingLong(GpuSample::totalBytes)
          .thenComparing(GpuSample::source);

  /** The later of two. */
  public static GpuSample later(GpuSample a, GpuSample b) {
    return ORDER.compare(a, b) >= 0 ? a : b;
  }
}
