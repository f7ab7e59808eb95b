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
    Map<PaneKey, List<Pane>> rollUps = new LinkedHashMap<>();
    List<KeyedPane> closed = new ArrayList<>();
    panes.forEach(
        (key, pane) -> {
          for (PaneKey counted : key.counted()) {
            if (counted.isRollUp()) {
              rollUps.computeIfAbsent(counted, unseen -> new ArrayList<>()).add(pane);
            } else {
              // Nothing else is counted under it, so it need not be copied.
              closed.add(new KeyedPane(counted, startMs, pane));
            }
          }
        });
    rollUps.forEach(
        (key, parts) -> {
          parts.forEach(sum::add);
          closed.add(new KeyedPane(key, startMs, sum.take()));
        });
    // Not before all are added up, as panes then belong to others.
    closed.forEach(out);
  }

  /** Closes all panes. */
  public void closeAll(Consumer<KeyedPane> out) {
    closeUpTo(Long.MAX_VALUE, out);
  }
}
