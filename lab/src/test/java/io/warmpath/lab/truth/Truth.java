package io.warmpath.lab.truth;

import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.window.WindowSpec;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** What the last row of every key and window must say, counted where the events were sent. */
public final class Truth {

  private static final String ALL = "*";
  private static final long SECOND_MS = 1_000;

  private final Map<PaneKey, TreeMap<Long, Tally>> seconds = new HashMap<>();

  /** Counts an event at its own time. */
  public void add(RequestEvent event) {
    add(event, event.context().eventTimeMs(), Arrival.ON_TIME);
  }

  /** Counts an event as what it must be taken for, at the time at which that counts. */
  public void add(RequestEvent event, long timeMs, Arrival arrival) {
    RequestContext context = event.context();
    String replica = Objects.requireNonNullElse(context.replica(), ALL);
    PaneKey key = new PaneKey(context.model(), context.policy(), replica);
    seconds
        .computeIfAbsent(key, unseen -> new TreeMap<>())
        .computeIfAbsent(timeMs / SECOND_MS * SECOND_MS, unseen -> new Tally())
        .add(event, arrival);
  }

  /** Where rows differ; empty where they are the truth and nothing else. */
  public Differences compare(Collection<WindowSpec> windows, Map<String, RoutingStats> lastRows) {
    Differences differences = new Differences();
    Set<String> expected = new HashSet<>();
    forEachRow(
        windows,
        (name, tally) -> {
          expected.add(name);
          differences.about(name);
          RoutingStats row = lastRows.get(name);
          if (row == null) {
            differences.note("missing");
          } else {
            tally.compare(row, differences);
          }
        });
    for (String name : new TreeSet<>(lastRows.keySet())) {
      if (!expected.contains(name)) {
        differences.about(name);
        differences.note("nothing happened in it");
      }
    }
    return differences;
  }

  /** Of each model, the name of the row that a job writes last. */
  public Set<String> lastTotals(Collection<WindowSpec> windows) {
    Map<String, String> last = new HashMap<>();
    WindowSpec longest =
        windows.stream().max(Comparator.comparingLong(WindowSpec::sizeMs)).orElseThrow();
    withRollUps()
        .forEach(
            (key, bySecond) -> {
              if (key.policy().equals(ALL) && key.replica().equals(ALL)) {
                long endMs = longest.lastEndMs(bySecond.lastKey());
                last.put(key.model(), name(key, longest, endMs));
              }
            });
    return Set.copyOf(last.values());
  }

  /** Hands out one row after the other, as all of them are too many to be held. */
  private void forEachRow(Collection<WindowSpec> windows, BiConsumer<String, Tally> rows) {
    withRollUps()
        .forEach(
            (key, bySecond) -> {
              for (WindowSpec spec : windows) {
                boolean rollUp = key.policy().equals(ALL) || key.replica().equals(ALL);
                if (rollUp || spec.scope() == WindowSpec.Scope.ALL_KEYS) {
                  forEachWindow(key, bySecond, spec, rows);
                }
              }
            });
  }

  private static void forEachWindow(
      PaneKey key, TreeMap<Long, Tally> bySecond, WindowSpec spec, BiConsumer<String, Tally> rows) {
    long slideMs = spec.slideMs();
    long firstEndMs = bySecond.firstKey() / slideMs * slideMs + slideMs;
    for (long endMs = firstEndMs; endMs - spec.sizeMs() <= bySecond.lastKey(); endMs += slideMs) {
      Collection<Tally> inside = bySecond.subMap(endMs - spec.sizeMs(), endMs).values();
      if (!inside.isEmpty()) {
        Tally sum = new Tally();
        inside.forEach(sum::add);
        rows.accept(name(key, spec, endMs), sum);
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
