package io.warmpath.console.export;

import java.io.IOException;

/** A router that takes weights. Called by one thread at a time. */
public interface RouterTarget {

  /** How weights become its numbers. */
  WeightScale scale();

  /** What the router would be given, as text for people. */
  String render(RouterWeights weights);

  /**
   * Gives the router weights, all of them at once as far as it can.
   *
   * @param nowMs epoch milliseconds
   * @return false if the router has to wait with some of it: to be called again later
   * @throws IOException if the router did not take them, or not all; to be called again later
   */
  boolean apply(RouterWeights weights, long nowMs) throws IOException;

  /**
   * Whether the router still has the weights that it was given last.
   *
   * @throws IOException if it cannot be asked
   */
  boolean holds(RouterWeights applied) throws IOException;
}
