package io.warmpath.console.state;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The recent past of a model's fleet, one point a window of the shortest size. */
final class FleetHistory {

  private static final int MAX_POINTS = 900;

  private final TreeMap<Long, HistoryPoint> points = new TreeMap<>();
  private long sizeMs = Long.MAX_VALUE;

  void add(WindowRow total) {
    if (total.windowSizeMs() > sizeMs) {
      return;
    }
    if (total.windowSizeMs() < sizeMs) {
      points.clear();
      sizeMs = total.windowSizeMs();
    }
    points.put(
        total.windowEndMs(),
        new HistoryPoint(
            total.windowEndMs(),
            total.rps(),
            total.ttft().p50Us(),
            total.ttft().p95Us(),
            total.ttft().p99Us(),
            total.tokenHitRate()));
    if (points.size() > MAX_POINTS) {
      points.pollFirstEntry();
    }
  }

  void removeBefore(long timeMs) {
    points.headMap(timeMs).clear();
  }

  boolean isEmpty() {
    return points.isEmpty();
  }

  /** The newest points, oldest first. */
  List<HistoryPoint> newest(int count) {
    Collection<HistoryPoint> all = points.values();
    return all.stream().skip(Math.max(0, all.size() - count)).toList();
  }
}
