package io.warmpath.console.state;

import java.util.List;

/**
 * A model on the page.
 *
 * @param model name
 * @param stale whether its newest window is older than figures should be
 * @param newestEndMs end of that window; 0 where there are only weights
 * @param windows by size
 * @param history the fleet's recent past, oldest first; all of it or its newest part
 * @param lease lease of the published weights, or null
 */
public record ModelView(
    String model,
    boolean stale,
    long newestEndMs,
    List<WindowView> windows,
    List<HistoryPoint> history,
    LeaseView lease) {}
