package io.warmpath.console.state;

import io.warmpath.console.state.WindowTable.Kept;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is kept of one model. */
final class ModelState {

  /** The policy that others are compared with. */
  static final String BASELINE = "round_robin";

  private final StateLimits limits;
  private final SortedMap<Long, WindowTable> tables = new TreeMap<>();
  private final FleetHistory history = new FleetHistory();
  private final WeightsState weights;
  private final ShadowState shadow;
  private final DecisionLog decisions;

  ModelState(StateLimits limits) {
    this.limits = limits;
    this.weights = new WeightsState(limits.maxReplicasWithHistory());
    this.shadow = new ShadowState(limits.maxShadowPolicies());
    this.decisions = new DecisionLog(limits.maxDecisionSteps());
  }

  /** Returns whether there was room for the row. */
  boolean accept(WindowRow row) {
    WindowTable table = tables.get(row.windowSizeMs());
    if (table == null) {
      if (tables.size() >= limits.maxWindowSizes()) {
        return false;
      }
      table = new WindowTable(limits.expiry().toMillis());
      tables.put(row.windowSizeMs(), table);
    }
    if (!table.holds(row) && rowCount() >= limits.maxRowsPerModel()) {
      return false;
    }
    table.accept(row);
    if (row.policy().equals(row.replica())) {
      history.add(row);
    }
    return true;
  }

  void accept(RoutingWeights record) {
    weights.accept(record);
  }

  /** Returns whether there was room for the policy. */
  boolean accept(ShadowStats window) {
    return shadow.accept(window);
  }

  void accept(WeightDecision decision) {
    decisions.accept(decision);
  }

  void prune(long nowMs) {
    long retainedFromMs = nowMs - limits.retention().toMillis();
    tables.values().forEach(table -> table.prune(retainedFromMs));
    tables.values().removeIf(table -> table.size() == 0);
    history.removeBefore(retainedFromMs);
    weights.prune(retainedFromMs);
    shadow.prune(retainedFromMs);
    decisions.prune(retainedFromMs);
  }

  boolean isEmpty() {
    return tables.isEmpty()
        && weights.newest() == null
        && shadow.newest().isEmpty()
        && decisions.all().isEmpty();
  }

  private int rowCount() {
    return tables.values().stream().mapToInt(WindowTable::size).sum();
  }

  ModelView view(String model, long nowMs, HistoryDepth depth) {
    long newestEndMs =
        tables.values().stream().mapToLong(WindowTable::completeEndMs).max().orElse(0);
    return new ModelView(
        model,
        nowMs - newestEndMs > limits.staleAfter().toMillis(),
        newestEndMs,
        tables.entrySet().stream()
            .map(entry -> view(entry.getKey(), entry.getValue(), depth))
            .toList(),
        history.newest(depth.fleetPoints()),
        weights.newest() == null ? null : LeaseView.of(weights.newest(), nowMs),
        shadow.newest(),
        DecisionView.log(decisions.all()));
  }

  private WindowView view(long sizeMs, WindowTable table, HistoryDepth depth) {
    return new WindowView(
        sizeMs, table.completeEndMs(), table.total(), policies(table), replicas(table, depth));
  }

  private static List<PolicyView> policies(WindowTable table) {
    SortedMap<String, WindowRow> shown = new TreeMap<>();
    for (Map.Entry<WindowTable.Key, Kept> entry : table.entries()) {
      if (entry.getKey().isPolicy()) {
        Kept kept = entry.getValue();
        shown.put(
            entry.getKey().policy(), table.isLive(kept.newest()) ? kept.newest() : kept.busiest());
      }
    }
    WindowRow baseline = shown.get(BASELINE);
    List<PolicyView> views = new ArrayList<>();
    shown.forEach(
        (policy, row) ->
            views.add(
                new PolicyView(
                    table.isLive(row),
                    row,
                    baseline == null || policy.equals(BASELINE)
                        ? null
                        : Comparison.of(row, baseline))));
    return views;
  }

  private List<ReplicaView> replicas(WindowTable table, HistoryDepth depth) {
    SortedMap<String, WindowRow> rows = new TreeMap<>();
    for (Map.Entry<WindowTable.Key, Kept> entry : table.entries()) {
      if (entry.getKey().isReplica()) {
        rows.put(entry.getKey().replica(), entry.getValue().newest());
      }
    }
    SortedMap<String, ReplicaWeight> published = new TreeMap<>();
    if (weights.newest() != null) {
      weights.newest().replicas().forEach(weight -> published.put(weight.replica(), weight));
    }
    published.keySet().forEach(replica -> rows.putIfAbsent(replica, null));
    List<ReplicaView> views = new ArrayList<>();
    rows.forEach(
        (replica, row) ->
            views.add(
                new ReplicaView(
                    replica,
                    row != null && table.isLive(row),
                    row,
                    published.get(replica),
                    weights.history(replica, depth.weightPoints()))));
    views.sort(Comparator.comparing(ReplicaView::replica, NaturalOrder.INSTANCE));
    return views;
  }

  FreshResults fresh(String model, long nowMs) {
    long freshFromMs = nowMs - limits.expiry().toMillis();
    List<WindowRow> rows = new ArrayList<>();
    for (WindowTable table : tables.values()) {
      for (Map.Entry<WindowTable.Key, Kept> entry : table.entries()) {
        if (entry.getValue().newest().windowEndMs() >= freshFromMs) {
          rows.add(entry.getValue().newest());
        }
      }
    }
    rows.sort(
        Comparator.comparing(WindowRow::windowSizeMs)
            .thenComparing(WindowRow::policy)
            .thenComparing(WindowRow::replica));
    return new FreshResults(model, rows, weights.newest(), shadow.newest(), decisions.all());
  }
}
