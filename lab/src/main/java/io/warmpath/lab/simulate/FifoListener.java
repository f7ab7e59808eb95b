package io.warmpath.lab.simulate;

import io.warmpath.schemas.weights.RoutingWeights;

/** Follows a {@link FifoSimulation}, for those who need more of a run than its figures. */
public interface FifoListener {

  /** Follows nothing. */
  FifoListener NONE =
      new FifoListener() {
        @Override
        public void served(FifoRequest request) {}

        @Override
        public void published(RoutingWeights weights) {}
      };

  /**
   * A request was routed. Its first token and its end are known at once, as nothing changes them.
   */
  void served(FifoRequest request);

  /**
   * Weights are in force from here on. Their times are epoch milliseconds that begin at {@link
   * FifoSimulation#START_MS}.
   */
  void published(RoutingWeights weights);
}
