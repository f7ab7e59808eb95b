package io.warmpath.console.state;

/**
 * How much of the past a view carries.
 *
 * @param fleetPoints newest points of each model's fleet
 * @param weightPoints newest weights of each replica
 */
public record HistoryDepth(int fleetPoints, int weightPoints) {

  /** All that is kept. */
  public static final HistoryDepth FULL = new HistoryDepth(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * Enough to follow on from a view of a second ago, with windows that late events changed since.
   */
  public static final HistoryDepth RECENT = new HistoryDepth(90, 4);
}
