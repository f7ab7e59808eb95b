package io.warmpath.jobs.window;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.PaneSerializer;
import io.warmpath.jobs.pane.PaneSum;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.base.LongSerializer;

/**
 * A key's panes, as far back as they are kept, and what must be remembered of older ones.
 *
 * <p>Windows overlap: one of 300 s every 30 s would merge each pane ten times. So sums over aligned
 * stretches of panes are kept beside them, made when a window first needs one and dropped when a
 * pane of theirs changes; a window merges few stretches in place of many panes.
 */
final class Ring {

  /** A balancer that was silent for longer starts to be counted from 0 again. */
  static final long LOSS_MEMORY_MS = 24 * 3_600_000L;

  /**
   * Panes of a window added up.
   *
   * @param pane all of them
   * @param lastStartMs start of the last one
   */
  record Sum(Pane pane, long lastStartMs) {}

  /** Lengths of stretches, each a multiple of the one before. */
  private static final long[] STRETCH_MS = {5_000, 30_000};

  /** A stretch is added up while a longer one is, so each level has its own. */
  private final PaneSum[] sums =
      Stream.generate(PaneSum::new).limit(STRETCH_MS.length + 1).toArray(PaneSum[]::new);

  private final MapState<Long, Pane> panes;
  private final List<MapState<Long, Pane>> stretches;
  private final MapState<String, RouterLoss> olderLoss;
  private final ValueState<Long> keptFromMs;
  private final ValueState<Long> emittedUntilMs;
  private final ValueState<Long> shownUntilMs;

  Ring(RuntimeContext context) {
    panes =
        context.getMapState(
            new MapStateDescriptor<>("panes", LongSerializer.INSTANCE, new PaneSerializer()));
    stretches =
        Arrays.stream(STRETCH_MS)
            .mapToObj(
                ms ->
                    context.getMapState(
                        new MapStateDescriptor<>(
                            "stretches-" + ms / 1_000 + "s",
                            LongSerializer.INSTANCE,
                            new PaneSerializer())))
            .toList();
    olderLoss =
        context.getMapState(
            new MapStateDescriptor<>(
                "older-loss",
                TypeInformation.of(String.class),
                TypeInformation.of(RouterLoss.class)));
    keptFromMs =
        context.getState(new ValueStateDescriptor<>("kept-from", TypeInformation.of(Long.class)));
    emittedUntilMs =
        context.getState(
            new ValueStateDescriptor<>("emitted-until", TypeInformation.of(Long.class)));
    shownUntilMs =
        context.getState(new ValueStateDescriptor<>("shown-until", TypeInformation.of(Long.class)));
  }

  /** From here on all panes are there; earlier ones are gone. */
  long keptFromMs() throws Exception {
    Long from = keptFromMs.value();
    return from == null ? Long.MIN_VALUE : from;
  }

  /** Windows that end before this have been emitted, as far as they held anything. */
  long emittedUntilMs() throws Exception {
    Long until = emittedUntilMs.value();
    return until == null ? Long.MIN_VALUE : until;
  }

  /** Notes that all windows whose last millisecond is up to here are being emitted. */
  void emittedUntil(long timeMs) throws Exception {
    if (timeMs > emittedUntilMs()) {
      emittedUntilMs.update(timeMs);
    }
  }

  /** Windows whose last millisecond is up to here were shown, and no pane came since. */
  long shownUntilMs() throws Exception {
    Long until = shownUntilMs.value();
    return until == null ? Long.MIN_VALUE : until;
  }

  /**
   * Notes that all windows whose last millisecond is up to here are being shown. A clock that began
   * anew with a restart may be behind what was shown before it, and takes nothing back.
   */
  void shownUntil(long timeMs) throws Exception {
    shownUntilMs.update(Math.max(timeMs, shownUntilMs()));
  }

  /** Adds a pane's figures. */
  void add(long startMs, Pane pane) throws Exception {
    Pane known = panes.get(startMs);
    if (known != null) {
      pane.merge(known);
    }
    panes.put(startMs, pane);
    long shownMs = shownUntilMs();
    forgetStretches(startMs, shownMs == Long.MIN_VALUE ? emittedUntilMs() : Long.MAX_VALUE);
    if (shownMs > startMs) {
      shownUntilMs.update(startMs);
    }
  }

  /**
   * Drops the stretches that a pane lies in. Most panes come before any window that holds them has
   * been added up, and then there are none to look for; once windows were shown by the clock, how
   * far they reached is not known any more.
   *
   * @param addedUpToMs no stretch was added up whose last millisecond is above this
   */
  private void forgetStretches(long paneStartMs, long addedUpToMs) throws Exception {
    for (int level = 0; level < STRETCH_MS.length; level++) {
      long startMs = alignedDown(paneStartMs, STRETCH_MS[level]);
      if (startMs + STRETCH_MS[level] - 1 <= addedUpToMs) {
        stretches.get(level).remove(startMs);
      }
    }
  }

  /** All panes of a window added up; null where there are none. */
  Sum sum(Window window) throws Exception {
    Pane sum = sum(window.startMs(), window.endMs(), STRETCH_MS.length);
    if (sum == null) {
      return null;
    }
    sum.add(Count.EVENTS_DROPPED, newlyLost(sum, window.startMs()));
    return new Sum(sum, lastStartMs(window));
  }

  /** What a window holds near its ends. */
  Edges edges(Window window, long edgeMs) throws Exception {
    return new Edges(
        sum(window.startMs(), window.startMs() + edgeMs, STRETCH_MS.length),
        sum(window.endMs() - edgeMs, window.endMs(), STRETCH_MS.length));
  }

  /** Adds up what begins in a time, with stretches below a level; null where nothing does. */
  private Pane sum(long fromMs, long toMs, int levels) throws Exception {
    PaneSum sum = sums[levels];
    long startMs = fromMs;
    while (startMs < toMs) {
      int level = levels - 1;
      while (level >= 0 && !fits(startMs, toMs, STRETCH_MS[level])) {
        level--;
      }
      Pane part = level < 0 ? panes.get(startMs) : stretch(startMs, level);
      if (part != null) {
        sum.add(part);
      }
      startMs += level < 0 ? PaneKey.PANE_MS : STRETCH_MS[level];
    }
    return sum.take();
  }

  private static boolean fits(long startMs, long toMs, long lengthMs) {
    return startMs + lengthMs <= toMs && Math.floorMod(startMs, lengthMs) == 0;
  }

  private Pane stretch(long startMs, int level) throws Exception {
    Pane known = stretches.get(level).get(startMs);
    if (known != null) {
      return known;
    }
    Pane sum = sum(startMs, startMs + STRETCH_MS[level], level);
    if (sum != null) {
      stretches.get(level).put(startMs, sum);
    }
    return sum;
  }

  private long lastStartMs(Window window) throws Exception {
    long startMs = window.endMs() - PaneKey.PANE_MS;
    while (startMs > window.startMs() && !panes.contains(startMs)) {
      startMs -= PaneKey.PANE_MS;
    }
    return startMs;
  }

  private static long alignedDown(long timeMs, long lengthMs) {
    return Math.floorDiv(timeMs, lengthMs) * lengthMs;
  }

  /** How far balancers' loss counters rose within a window, from where they stood before it. */
  private long newlyLost(Pane sum, long windowStartMs) throws Exception {
    long lost = 0;
    for (Map.Entry<String, Long> run : sum.lossByRouterRun().entrySet()) {
      lost += Math.max(0, run.getValue() - lostBefore(run.getKey(), windowStartMs));
    }
    return lost;
  }

  /** Whether a pane says of some balancer that it lost more than was known up to its time. */
  boolean raisesLoss(long startMs, Pane pane) throws Exception {
    for (Map.Entry<String, Long> run : pane.lossByRouterRun().entrySet()) {
      if (run.getValue() > lostBefore(run.getKey(), startMs + PaneKey.PANE_MS)) {
        return true;
      }
    }
    return false;
  }

  private long lostBefore(String run, long timeMs) throws Exception {
    RouterLoss older = olderLoss.get(run);
    long lost = older == null ? 0 : older.events();
    for (Map.Entry<Long, Pane> entry : panes.entries()) {
      if (entry.getKey() < timeMs) {
        lost = Math.max(lost, entry.getValue().lossByRouterRun().getOrDefault(run, 0L));
      }
    }
    return lost;
  }

  /** Forgets panes that begin before {@code fromMs}, but not what balancers had lost by then. */
  void keepFrom(long fromMs) throws Exception {
    Iterator<Map.Entry<Long, Pane>> entries = panes.iterator();
    while (entries.hasNext()) {
      Map.Entry<Long, Pane> entry = entries.next();
      if (entry.getKey() < fromMs) {
        remember(entry.getKey(), entry.getValue());
        entries.remove();
      }
    }
    for (MapState<Long, Pane> level : stretches) {
      Iterator<Long> starts = level.keys().iterator();
      while (starts.hasNext()) {
        if (starts.next() < fromMs) {
          starts.remove();
        }
      }
    }
    Iterator<Map.Entry<String, RouterLoss>> losses = olderLoss.iterator();
    while (losses.hasNext()) {
      if (losses.next().getValue().seenMs() < fromMs - LOSS_MEMORY_MS) {
        losses.remove();
      }
    }
    keptFromMs.update(fromMs);
  }

  private void remember(long startMs, Pane pane) throws Exception {
    for (Map.Entry<String, Long> run : pane.lossByRouterRun().entrySet()) {
      RouterLoss loss = new RouterLoss(run.getValue(), startMs);
      RouterLoss known = olderLoss.get(run.getKey());
      olderLoss.put(run.getKey(), known == null ? loss : RouterLoss.greater(known, loss));
    }
  }

  /** Whether there are no panes. */
  boolean isEmpty() throws Exception {
    return panes.isEmpty();
  }

  /** Start of the newest pane; there must be one. */
  long newestStartMs() throws Exception {
    long newestMs = Long.MIN_VALUE;
    for (long startMs : panes.keys()) {
      newestMs = Math.max(newestMs, startMs);
    }
    return newestMs;
  }

  /** Whether nothing is left to remember; then it is forgotten that there was anything. */
  boolean isForgotten() throws Exception {
    if (!panes.isEmpty() || !olderLoss.isEmpty()) {
      return false;
    }
    // Maps that are emptied entry by entry still stand in the heap backend.
    panes.clear();
    stretches.forEach(MapState::clear);
    olderLoss.clear();
    keptFromMs.clear();
    emittedUntilMs.clear();
    shownUntilMs.clear();
    return true;
  }
}
