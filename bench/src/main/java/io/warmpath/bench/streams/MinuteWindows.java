package io.warmpath.bench.streams;

import io.warmpath.bench.contender.WindowFigures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All windows of a minute that panes make. Partitions drift apart in Kafka Streams, so that what it
 * merged while it ran may have lacked something; its panes are exact once it has read everything.
 */
final class MinuteWindows {

  private record Place(String key, long endMs) {}

  private final Map<Place, WindowSum> windows = new HashMap<>();

  void add(String key, long paneStartMs, WindowSum pane) {
    if (key.endsWith('|' + RequestSample.NO_REPLICA)) {
      return;
    }
    long firstEndMs = paneStartMs + WindowFigures.SLIDE_MS;
    long lastEndMs = paneStartMs + WindowFigures.SIZE_MS;
    for (long endMs = firstEndMs; endMs <= lastEndMs; endMs += WindowFigures.SLIDE_MS) {
      windows.computeIfAbsent(new Place(key, endMs), unseen -> new WindowSum()).merge(pane);
    }
  }

  List<WindowFigures> figures() {
    List<WindowFigures> figures = new ArrayList<>();
    windows.forEach(
        (place, sum) ->
            figures.add(
                new WindowFigures(
                    place.key(),
                    place.endMs(),
                    sum.requests(),
                    sum.p95Us() < 0 ? Double.NaN : sum.p95Us())));
    return figures;
  }
}
