package io.warmpath.lab.cluster;

import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.window.WindowSpec;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the last row of every key and window must say, counted where the events were sent. */
final class Truth {

  private static final String ALL = "*";
  private static final long SECOND_MS = 1_000;

  private final Map<PaneKey, TreeMap<Long, Tally>> seconds = new HashMap<>();

  void add(FirstToken event) {
    at(event.context()).add(event);
  }

  void add(Finished event) {
    at(event.context()).add(event);
  }

  private Tally at(RequestContext context) {
    String replica = Objects.requireNonNullElse(context.replica(), ALL);
    PaneKey key = new PaneKey(context.model(), context.policy(), replica);
    long startMs = context.eventTimeMs() / SECOND_MS * SECOND_MS;
    return seconds
        .computeIfAbsent(key, unseen -> new TreeMap<>())
        .computeIfAbsent(startMs, unseen -> new Tally());
  }

  /** Where rows differ; empty where they are the truth and nothing else. */
  Differences compare(Collection<WindowSpec> windows, Map<String, RoutingStats> lastRows) {
    Differences differences = new Differences();
    Map<String, Tally> expected = expected(windows);
    expected.forEach(
        (name, tally) -> {
          differences.about(name);
          RoutingStats row = lastRows.get(name);
          if (row == null) {
            differences.note("missing");
          } else {
            tally.compare(row, differences);
          }
        });
    for (String name : new TreeSet<>(lastRows.keySet())) {
      if (!expected.containsKey(name)) {
        differences.about(name);
        differences.note("nothing happened in it");
      }
    }
    return differences;
  }

  private Map<String, Tally> expected(Collection<WindowSpec> windows) {
    Map<String, Tally> rows = new TreeMap<>();
    withRollUps()
        .forEach(
            (key, bySecond) -> {
              for (WindowSpec spec : windows) {
                boolean rollUp = key.policy().equals(ALL) || key.replica().equals(ALL);
                if (rollUp || spec.scope() == WindowSpec.Scope.ALL_KEYS) {
                  addWindows(key, bySecond, spec, rows);
                }
              }
            });
    return rows;
  }

  private static void addWindows(
      PaneKey key, TreeMap<Long, Tally> bySecond, WindowSpec spec, Map<String, Tally> rows) {
    long slideMs = spec.slideMs();
    long firstEndMs = bySecond.firstKey() / slideMs * slideMs + slideMs;
    for (long endMs = firstEndMs; endMs - spec.sizeMs() <= bySecond.lastKey(); endMs += slideMs) {
      Collection<Tally> inside = bySecond.subMap(endMs - spec.sizeMs(), endMs).values();
      if (!inside.isEmpty()) {
        Tally sum = new Tally();
        inside.forEach(sum::add);
        rows.put(name(key, spec, endMs), sum);
      }
    }
  }

  private static String name(PaneKey key, WindowSpec spec, long endMs) {
    return String.join("|", key.model(), key.policy(), key.replica())
        + "|"
        + spec.sizeMs()
        + "|"
        + endMs;
  }

  private Map<PaneKey, TreeMap<Long, Tally>> withRollUps() {
    Map<PaneKey, TreeMap<Long, Tally>> all = new HashMap<>();
    seconds.forEach(
        (key, bySecond) -> {
          for (PaneKey counted : rollUps(key)) {
            TreeMap<Long, Tally> sums = all.computeIfAbsent(counted, unseen -> new TreeMap<>());
            bySecond.forEach(
                (startMs, tally) ->
                    sums.computeIfAbsent(startMs, unseen -> new Tally()).add(tally));
          }
        });
    return all;
  }

  private static Set<PaneKey> rollUps(PaneKey key) {
    Set<PaneKey> keys = new HashSet<>();
    keys.add(key);
    keys.add(new PaneKey(key.model(), key.policy(), ALL));
    keys.add(new PaneKey(key.model(), ALL, key.replica()));
    keys.add(new PaneKey(key.model(), ALL, ALL));
    return keys;
  }

  /** The name under which a row is looked up. */
  static String nameOf(RoutingStats row) {
    return RecordKeys.of(row);
  }
}
