package io.warmpath.console.export;

import java.util.List;

/** Hears of what an export does. Called by one thread at a time. */
public interface ExportListener {

  /** Published weights hold from now on, or no longer. */
  void onLease(FleetShares shares);

  /** The router has these weights now. */
  void onApplied(RouterWeights weights);

  /** The router did not take its weights; told once for each reason. */
  void onFailure(String reason);

  /** Weights are published for replicas that the map does not have; told when they change. */
  void onUnmapped(List<String> replicas);
}
