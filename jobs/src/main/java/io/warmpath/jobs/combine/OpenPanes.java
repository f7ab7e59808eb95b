package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The panes that a combiner still adds to. */
public final class OpenPanes {

  private record Place(PaneKey key, long startMs) {}

  private final Map<Place, Pane> panes = new HashMap<>();

  /** The panes of one time. */
  public final class Second {

    private final long timeMs;

    private Second(long timeMs) {
      this.timeMs = timeMs;
    }

    /** The time itself. */
    public long timeMs() {
      return timeMs;
    }

    /** The pane of a key. */
    public Pane of(PaneKey key) {
      return panes.computeIfAbsent(
          new Place(key, PaneKey.paneStartMs(timeMs)), place -> new Pane());
    }
  }

  /** The panes that {@code timeMs} lies in. */
  public Second at(long timeMs) {
    return new Second(timeMs);
  }

  /** Number of open panes. */
  public int size() {
    return panes.size();
  }

  /**
   * Closes the panes that end at or before {@code timeMs} and hands out their figures, under their
   * own keys and the roll-ups that they count in.
   */
  public void closeUpTo(long timeMs, Consumer<KeyedPane> out) {
    Map<Place, Pane> closed = new LinkedHashMap<>();
    Iterator<Map.Entry<Place, Pane>> entries = panes.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Place, Pane> entry = entries.next();
      Place place = entry.getKey();
      if (place.startMs <= timeMs - PaneKey.PANE_MS) {
        for (PaneKey counted : place.key.counted()) {
          closed
              .computeIfAbsent(new Place(counted, place.startMs), unseen -> new Pane())
              .merge(entry.getValue());
        }
        entries.remove();
      }
    }
    closed.forEach((place, pane) -> out.accept(new KeyedPane(place.key, place.startMs, pane)));
  }

  /** Closes all panes. */
  public void closeAll(Consumer<KeyedPane> out) {
    closeUpTo(Long.MAX_VALUE, out);
  }
}
