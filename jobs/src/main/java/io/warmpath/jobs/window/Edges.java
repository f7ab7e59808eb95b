package io.warmpath.jobs.window;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.Pane;

/**
 * What a window holds near its ends.
 *
 * @param first its beginning; null where there is nothing
 * @param last its end; likewise
 */
record Edges(Pane first, Pane last) {

  /** What both count together. */
  long get(Count count) {
    return get(first, count) + get(last, count);
  }

  private static long get(Pane pane, Count count) {
    return pane == null ? 0 : pane.get(count);
  }
}
