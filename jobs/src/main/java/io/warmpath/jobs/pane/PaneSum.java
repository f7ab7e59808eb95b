package io.warmpath.jobs.pane;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.routing.measure.SketchSum;

/**
 * Adds up many panes, to what merging them one by one gives, in a fraction of the time. It is used
 * again for the next sum, as it is large itself. Not safe for concurrent use.
 */
public final class PaneSum {

  private static final Timing[] TIMINGS = Timing.values();

  private final SketchSum[] timings = new SketchSum[Timing.SIZE];
  private final SketchSum ofPane = new SketchSum();
  private final FitBins.Sum fit = new FitBins.Sum();
  private boolean hasFit;
  private Pane rest;

  /** Adds a pane, which stays as it is, but that its durations are counted from now on. */
  public void add(Pane pane) {
    pane.count(ofPane);
    if (rest == null) {
      rest = new Pane();
    }
    rest.mergeAllButSketches(pane);
    for (Timing timing : TIMINGS) {
      DurationSketch sketch = pane.get(timing);
      if (sketch != null) {
        sumOf(timing).add(sketch);
      }
    }
    if (pane.hasFit()) {
      pane.addFitTo(fit);
      hasFit = true;
    }
  }

  private SketchSum sumOf(Timing timing) {
    if (timings[timing.ordinal()] == null) {
      timings[timing.ordinal()] = new SketchSum();
    }
    return timings[timing.ordinal()];
  }

  /** The sum, null if nothing was added; after that this is empty. */
  public Pane take() {
    Pane sum = rest;
    if (sum == null) {
      return null;
    }
    for (Timing timing : TIMINGS) {
      SketchSum sketches = timings[timing.ordinal()];
      if (sketches != null && !sketches.isEmpty()) {
        sum.take(timing, sketches.take());
      }
    }
    if (hasFit) {
      sum.take(fit.take());
    }
    rest = null;
    hasFit = false;
    return sum;
  }
}
