package io.warmpath.jobs.pane;

import io.warmpath.routing.measure.SketchSum;

/**
 * Adds up many panes, as merging them one by one does, at the cost of each pane's own size. Kept
 * and used again. Not safe for concurrent use.
 */
public final class PaneSum {

  private final SketchSum[] timings = new SketchSum[Timing.SIZE];
  private Pane sum;

  public PaneSum() {
    for (int i = 0; i < timings.length; i++) {
      timings[i] = new SketchSum();
    }
  }

  /** Adds a pane, which stays as it is. */
  public void add(Pane pane) {
    if (sum == null) {
      sum = new Pane();
    }
    sum.mergeAllButTimings(pane);
    for (Timing timing : Timing.values()) {
      if (pane.get(timing) != null) {
        timings[timing.ordinal()].add(pane.get(timing));
      }
    }
  }

  /** The sum, or null if no pane was added. Nothing is left here. */
  public Pane take() {
    Pane taken = sum;
    if (taken != null) {
      for (Timing timing : Timing.values()) {
        SketchSum durations = timings[timing.ordinal()];
        if (!durations.isEmpty()) {
          taken.take(timing, durations.take());
        }
      }
    }
    sum = null;
    return taken;
  }
}
