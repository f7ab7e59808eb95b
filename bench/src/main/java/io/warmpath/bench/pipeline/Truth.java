package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.WindowFigures;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What the windows of a workload hold, from all values: windows that everyone has finished once the
 * topic is read, which are those that end well before the last event.
 */
final class Truth {

  private static final double P95 = 0.95;

  /** Bound and disorder together, and some. */
  private static final long STILL_OPEN_MS = 5_000;

  private record Place(String key, long paneStartMs) {}

  /** The values of a pane. */
  private static final class Values {
    private long requests;
    private long[] e2eUs = new long[16];
    private int answered;

    void add(Finished event) {
      requests++;
      if (event.outcome() == Outcome.OK) {
        if (answered == e2eUs.length) {
          e2eUs = Arrays.copyOf(e2eUs, 2 * answered);
        }
        e2eUs[answered++] = event.e2eUs();
      }
    }

    LongStream stream() {
      return Arrays.stream(e2eUs, 0, answered);
    }
  }

  private final Map<Place, Values> panes = new HashMap<>();
  private final long lastEndMs;

  Truth(Workload workload) {
    lastEndMs = workload.endMs() - STILL_OPEN_MS;
  }

  void add(Finished event) {
    if (event.context().replica() != null) {
      String key =
          WindowFigures.key(
              event.context().model(), event.context().policy(), event.context().replica());
      long timeMs = event.context().eventTimeMs();
      long paneStartMs = Math.floorDiv(timeMs, WindowFigures.SLIDE_MS) * WindowFigures.SLIDE_MS;
      panes.computeIfAbsent(new Place(key, paneStartMs), unseen -> new Values()).add(event);
    }
  }

  /** End of the last windows that are compared. */
  long lastEndMs() {
    return lastEndMs;
  }

  /** Windows that are compared. */
  long windows() {
    return panes.keySet().stream()
        .flatMap(place -> ends(place).mapToObj(end -> new Place(place.key(), end)))
        .distinct()
        .count();
  }

  private LongStream ends(Place pane) {
    return LongStream.iterate(
        pane.paneStartMs() + WindowFigures.SLIDE_MS,
        end -> end <= Math.min(lastEndMs, pane.paneStartMs() + WindowFigures.SIZE_MS),
        end -> end + WindowFigures.SLIDE_MS);
  }

  /** How far what a contender found is from the truth. */
  WindowCheck check(ContenderKind kind, List<WindowFigures> found) {
    Map<Place, WindowFigures> byPlace = new HashMap<>();
    found.stream()
        .filter(window -> window.endMs() <= lastEndMs)
        .forEach(window -> byPlace.put(new Place(window.key(), window.endMs()), window));
    long missing = windows() - byPlace.size();
    long requests = byPlace.values().stream().mapToLong(WindowFigures::requests).sum();
    long wrong = 0;
    double worst = 0;
    for (WindowFigures window : byPlace.values()) {
      wrong += window.requests() == requests(window) ? 0 : 1;
      worst = Math.max(worst, error(kind, window));
    }
    return new WindowCheck(byPlace.size(), missing, wrong, requests, worst);
  }

  private List<Values> inside(WindowFigures window) {
    return LongStream.iterate(
            window.endMs() - WindowFigures.SIZE_MS,
            start -> start < window.endMs(),
            start -> start + WindowFigures.SLIDE_MS)
        .mapToObj(start -> panes.get(new Place(window.key(), start)))
        .filter(values -> values != null)
        .toList();
  }

  private long requests(WindowFigures window) {
    return inside(window).stream().mapToLong(values -> values.requests).sum();
  }

  /** Relative error of p95. */
  private double error(ContenderKind kind, WindowFigures window) {
    long[] sorted = inside(window).stream().flatMapToLong(Values::stream).sorted().toArray();
    if (sorted.length == 0) {
      return Double.isNaN(window.p95Us()) ? 0 : Double.POSITIVE_INFINITY;
    }
    double exact = kind == ContenderKind.FLINK_SQL ? interpolated(sorted) : ofRank(sorted);
    double error = Math.abs(window.p95Us() - exact) / exact;
    return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
  }

  private static double ofRank(long[] sorted) {
    return sorted[(int) Math.ceil(P95 * sorted.length) - 1];
  }

  /** SQL's definition: between the two nearest values, as {@code PERCENTILE_CONT} has it. */
  private static double interpolated(long[] sorted) {
    double at = P95 * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
