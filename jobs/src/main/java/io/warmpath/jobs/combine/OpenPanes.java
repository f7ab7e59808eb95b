package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.PaneSum;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The panes that a combiner still adds to. */
public final class OpenPanes {

  /** Few seconds are open at a time, each with many keys. */
  private final TreeMap<Long, Map<PaneKey, Pane>> panesByStart = new TreeMap<>();

  private final PaneSum sum = new PaneSum();

  private int size;
  private long lastStartMs;
  private Map<PaneKey, Pane> lastPanes;

  /** The panes of one time. */
  public final class Second {

    private final long timeMs;
    private final Map<PaneKey, Pane> panes;

    private Second(long timeMs, Map<PaneKey, Pane> panes) {
      this.timeMs = timeMs;
      this.panes = panes;
    }

    /** The time itself. */
    public long timeMs() {
      return timeMs;
    }

    /** The pane of a key. */
    public Pane of(PaneKey key) {
      Pane pane = panes.get(key);
      if (pane == null) {
        pane = new Pane();
        panes.put(key, pane);
        size++;
      }
      return pane;
    }
  }

  /** The panes that {@code timeMs} lies in. */
  public Second at(long timeMs) {
    long startMs = PaneKey.paneStartMs(timeMs);
    if (lastPanes == null || startMs != lastStartMs) {
      lastPanes = panesByStart.computeIfAbsent(startMs, unseen -> new HashMap<>());
      lastStartMs = startMs;
    }
    return new Second(timeMs, lastPanes);
  }

  /** Number of open panes. */
  public int size() {
    return size;
  }

  /**
   * Closes the panes that end at or before {@code timeMs} and hands out their figures, under their
   * own keys and the roll-ups that they count in.
   */
  public void closeUpTo(long timeMs, Consumer<KeyedPane> out) {
    while (!panesByStart.isEmpty() && panesByStart.firstKey() <= timeMs - PaneKey.PANE_MS) {
      Map.Entry<Long, Map<PaneKey, Pane>> second = panesByStart.pollFirstEntry();
      lastPanes = null;
      size -= second.getValue().size();
      close(second.getKey(), second.getValue(), out);
    }
  }

  private void close(long startMs, Map<PaneKey, Pane> panes, Consumer<KeyedPane> out) {
    Map<PaneKey, List<Pane>> ofPolicies = new HashMap<>();
    Map<PaneKey, List<Pane>> ofReplicas = new HashMap<>();
    Map<PaneKey, List<Pane>> ofTotals = new HashMap<>();
    Map<PaneKey, Pane> withPolicy = new LinkedHashMap<>();
    panes.forEach(
        (key, pane) -> {
          if (key.isOverPolicies()) {
            add(ofTotals, key.total(), pane);
            if (!key.isTotal()) {
              add(ofReplicas, key, pane);
            }
          } else {
            add(ofPolicies, key.overReplicas(), pane);
            if (!key.isRollUp()) {
              add(ofReplicas, key.overPolicies(), pane);
              withPolicy.put(key, pane);
            }
          }
        });
    ofPolicies.forEach(
        (key, parts) -> {
          Pane policy = sum(parts);
          withPolicy.put(key, policy);
          // All with a policy are in the total through this.
          add(ofTotals, key.total(), policy);
        });
    ofReplicas.forEach((key, parts) -> out.accept(new KeyedPane(key, startMs, sum(parts))));
    ofTotals.forEach((key, parts) -> out.accept(new KeyedPane(key, startMs, sum(parts))));
    withPolicy.forEach(
        (key, pane) -> {
          // Only rows over all policies show a fit.
          pane.dropFit();
          out.accept(new KeyedPane(key, startMs, pane));
        });
  }

  private static void add(Map<PaneKey, List<Pane>> parts, PaneKey key, Pane pane) {
    parts.computeIfAbsent(key, unseen -> new ArrayList<>()).add(pane);
  }

  private Pane sum(List<Pane> parts) {
    parts.forEach(sum::add);
    return sum.take();
  }

  /** Closes all panes. */
  public void closeAll(Consumer<KeyedPane> out) {
    closeUpTo(Long.MAX_VALUE, out);
  }
}
