package io.warmpath.jobs.window;

/**
 * What a balancer's run had lost by a time that no pane reaches back to.
 *
 * @param events events lost so far
 * @param seenMs second in which that was last said
 */
public record RouterLoss(long events, long seenMs) {

  /** The later of two, each value by itself. */
  static RouterLoss greater(RouterLoss a, RouterLoss b) {
    return new RouterLoss(Math.max(a.events, b.events), Math.max(a.seenMs, b.seenMs));
  }
}
