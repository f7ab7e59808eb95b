package io.warmpath.console.state;

import io.warmpath.schemas.stats.ShadowStats;
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
 * @param shadow newest shadow window of each policy
 * @param decisions recent weight decisions that changed something, newest first
 */
public record ModelView(
    String model,
    boolean stale,
    long newestEndMs,
    List<WindowView> windows,
    List<HistoryPoint> history,
    LeaseView lease,
    List<ShadowStats> shadow,
    List<DecisionView> decisions) {}
