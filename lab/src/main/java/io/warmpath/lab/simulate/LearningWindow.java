package io.warmpath.lab.simulate;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.control.TheilSenFit;
import io.warmpath.routing.control.WindowInput;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Makes the rows that the stats job would give the control law for one window, with the fields that
 * the law reads. Every replica is listed, as telemetry would show it.
 */
final class LearningWindow {

  /** Record times are epoch times; the first windows of a simulation begin before its start. */
  static final long ORIGIN_MS = 3_600_000;

  private static final String MODEL = "simulated";

  private final int minSamples;
  private final String[] names;

  LearningWindow(int replicas, int minSamples) {
    this.minSamples = minSamples;
    names = new String[replicas];
    for (int i = 0; i < replicas; i++) {
      // The law sorts by name: the width keeps the order of indices.
      names[i] = "replica-%04d".formatted(i);
    }
  }

  /** The window that ends at {@code endMicros}. */
  WindowInput of(long endMicros, long sizeMicros, Collection<FirstTokenSample> samples) {
    int replicas = names.length;
    FitBins[] bins = new FitBins[replicas];
    long[] requests = new long[replicas];
    long[] promptTokens = new long[replicas];
    long[] uncachedTokens = new long[replicas];
    for (FirstTokenSample sample : samples) {
      int i = sample.replica();
      if (bins[i] == null) {
        bins[i] = new FitBins();
      }
      bins[i].add(sample.loadTokens(), sample.ttftMicros());
      requests[i]++;
      promptTokens[i] += sample.promptTokens();
      uncachedTokens[i] += sample.uncachedTokens();
    }
    long endMs = ORIGIN_MS + endMicros / 1_000;
    long startMs = endMs - sizeMicros / 1_000;
    List<RoutingStats> rows = new ArrayList<>(replicas);
    Sum sum = new Sum(0, 0, 0);
    for (int i = 0; i < replicas; i++) {
      Sum own = new Sum(requests[i], promptTokens[i], uncachedTokens[i]);
      FitStats fit = bins[i] == null ? null : TheilSenFit.of(bins[i], minSamples).orElse(null);
      rows.add(row(startMs, endMs, names[i], own, fit));
      sum = sum.plus(own);
    }
    return new WindowInput(row(startMs, endMs, RoutingStats.ALL, sum, null), rows);
  }

  private record Sum(long requests, long promptTokens, long uncachedTokens) {
    Sum plus(Sum other) {
      return new Sum(
          requests + other.requests,
          promptTokens + other.promptTokens,
          uncachedTokens + other.uncachedTokens);
    }
  }

  private static RoutingStats row(long startMs, long endMs, String replica, Sum sum, FitStats fit) {
    return new RoutingStats(
        startMs,
        endMs,
        MODEL,
        RoutingStats.ALL,
        replica,
        false,
        sum.requests,
        sum.requests,
        0,
        0,
        0,
        sum.requests,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1e3 * sum.requests / (endMs - startMs),
        sum.promptTokens,
        sum.promptTokens - sum.uncachedTokens,
        0,
        0,
        null,
        null,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        LostTokens.NONE,
        0,
        null,
        null,
        null,
        null,
        fit,
        null);
  }
}
