package io.warmpath.jobs.window;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.schemas.stats.StatsFlags;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keeps a key's panes and emits each of its windows when the watermark passes the window's end, and
 * once more with the next watermark for each time that a pane comes after that and changes its row.
 * A window is the merge of its panes, so one stored pane serves all windows that hold it.
 *
 * <p>When the watermark stands still for long, as it does when every input is silent, windows end
 * by the clock: their rows are provisional, change nothing here, and are replaced when the
 * watermark passes.
 *
 * <p>Panes are kept {@link #RETENTION} and the allowed lateness. What comes later than that changes
 * nothing, and no window is emitted that some panes of are gone. A key that has no panes left
 * leaves nothing behind.
 */
public final class PaneRing extends KeyedProcessFunction<PaneKey, KeyedPane, WrittenRow> {

  private static final long serialVersionUID = 1L;

  /** The longest window of the contract. */
  public static final Duration RETENTION = Duration.ofSeconds(300);

  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  /** Old panes are looked for this often. */
  private static final long SWEEP_MS = 60_000;

  private final List<WindowSpec> windows;
  private final long retentionMs;
  private final long silenceMs;

  private transient Ring ring;
  private transient MapState<Window, Long> outdated;
  private transient MapState<Window, Long> shown;
  private transient Counter tooOld;
  private transient Silence silence;

  /**
   * @param windows the windows to emit
   * @param allowedLateness how far behind its bound an event still changes its windows
   * @param silence after so long without a watermark windows end by the clock; zero for never
   */
  public PaneRing(List<WindowSpec> windows, Duration allowedLateness, Duration silence) {
    this.windows = List.copyOf(windows);
    this.silenceMs = silence.toMillis();
    this.retentionMs = kept(allowedLateness).toMillis();
    for (WindowSpec window : windows) {
      if (window.sizeMs() > RETENTION.toMillis()) {
        throw new IllegalArgumentException("panes are not kept long enough for " + window);
      }
    }
  }

  /** How long panes are kept. */
  public static Duration kept(Duration allowedLateness) {
    return RETENTION.plus(allowedLateness);
  }

  @Override
  public void open(OpenContext context) {
    ring = new Ring(getRuntimeContext());
    outdated = hashes("outdated-windows");
    shown = hashes("shown-windows");
    tooOld = getRuntimeContext().getMetricGroup().counter("panes_beyond_retention");
  }

  /** What the row of a window was, as its {@link #hash}. */
  private MapState<Window, Long> hashes(String name) {
    return getRuntimeContext()
        .getMapState(
            new MapStateDescriptor<>(
                name, TypeInformation.of(Window.class), TypeInformation.of(Long.class)));
  }

  @Override
  public void processElement(KeyedPane keyed, Context context, Collector<WrittenRow> out)
      throws Exception {
    TimerService timers = context.timerService();
    awaitSilence(timers);
    long watermarkMs = emittedUntilMs(timers);
    long startMs = keyed.startMs();
    long keptFromMs = keptFromMs(watermarkMs);
    if (startMs < keptFromMs) {
      tooOld.inc();
      return;
    }
    // The counters of balancers are compared with earlier ones, so all later windows depend on
    // them.
    boolean changesLaterWindows = startMs <= watermarkMs && ring.raisesLoss(startMs, keyed.pane());
    for (WindowSpec spec : windows) {
      if (spec.covers(keyed.key())) {
        long lastEndMs = changesLaterWindows ? startMs + retentionMs : spec.lastEndMs(startMs);
        schedule(spec, keyed, lastEndMs, keptFromMs, watermarkMs, timers);
      }
    }
    ring.add(startMs, keyed.pane());
    timers.registerEventTimeTimer(sweepAfter(startMs + retentionMs) - 1);
  }

  private void awaitSilence(TimerService timers) {
    Silence clock = silence(timers);
    if (clock.isHeeded()) {
      long nowMs = timers.currentProcessingTime();
      clock.lastsMs(timers.currentWatermark(), nowMs);
      timers.registerProcessingTimeTimer(clock.checkAtMs(nowMs));
    }
  }

  private Silence silence(TimerService timers) {
    if (silence == null) {
      silence = new Silence(silenceMs, timers.currentProcessingTime());
    }
    return silence;
  }

  /**
   * Up to here windows have been emitted. After a restart the watermark begins anew, and only state
   * tells.
   */
  private long emittedUntilMs(TimerService timers) throws Exception {
    return Math.max(timers.currentWatermark(), ring.emittedUntilMs());
  }

  /** Below this, some panes may be gone: as state says, or as the time does for a new key. */
  private long keptFromMs(long watermarkMs) throws Exception {
    long byTimeMs = watermarkMs == Long.MIN_VALUE ? Long.MIN_VALUE : watermarkMs + 1 - retentionMs;
    return Math.max(ring.keptFromMs(), byTimeMs);
  }

  /**
   * Marks those windows outdated that have been emitted, with what their rows were, and sets the
   * timer of the first that has not; each sets the timer of the next.
   */
  private void schedule(
      WindowSpec spec,
      KeyedPane keyed,
      long lastEndMs,
      long keptFromMs,
      long watermarkMs,
      TimerService timers)
      throws Exception {
    long firstEndMs = spec.firstEndMs(keyed.startMs());
    for (long endMs = firstEndMs; endMs <= lastEndMs; endMs += spec.slideMs()) {
      Window window = spec.endingAt(endMs);
      if (window.lastMs() > watermarkMs) {
        timers.registerEventTimeTimer(window.lastMs());
        return;
      }
      if (window.startMs() >= keptFromMs) {
        if (!outdated.contains(window)) {
          // Panes that come later go by this to tell what has been added up.
          ring.emittedUntil(watermarkMs);
          Ring.Sum sum = ring.sum(window);
          outdated.put(window, sum == null ? 0 : hash(row(keyed.key(), window, sum.pane(), false)));
        }
        timers.registerEventTimeTimer(watermarkMs + 1);
      } else {
        tooOld.inc();
      }
    }
  }

  private static long sweepAfter(long timeMs) {
    return Math.floorDiv(timeMs, SWEEP_MS) * SWEEP_MS + SWEEP_MS;
  }

  @Override
  public void onTimer(long timeMs, OnTimerContext context, Collector<WrittenRow> out)
      throws Exception {
    PaneKey key = context.getCurrentKey();
    if (context.timeDomain() == TimeDomain.PROCESSING_TIME) {
      lookForSilence(key, context.timerService(), out);
      return;
    }
    ring.emittedUntil(timeMs);
    emitOutdated(key, out);
    forgetShown(timeMs);
    long endMs = timeMs + 1;
    for (WindowSpec spec : windows) {
      if (spec.covers(key) && spec.endsAt(endMs)) {
        Ring.Sum sum = emit(key, spec.endingAt(endMs), out);
        long nextEndMs = endMs + spec.slideMs();
        if (sum != null && sum.lastStartMs() >= nextEndMs - spec.sizeMs()) {
          context.timerService().registerEventTimeTimer(nextEndMs - 1);
        }
      }
    }
    if (endMs % SWEEP_MS == 0) {
      ring.keepFrom(endMs - retentionMs);
      if (!ring.isForgotten()) {
        context.timerService().registerEventTimeTimer(sweepAfter(endMs) - 1);
      }
    }
  }

  private void emitOutdated(PaneKey key, Collector<WrittenRow> out) throws Exception {
    if (outdated.isEmpty()) {
      return;
    }
    TreeMap<Window, Long> inOrder = new TreeMap<>();
    for (Map.Entry<Window, Long> entry : outdated.entries()) {
      inOrder.put(entry.getKey(), entry.getValue());
    }
    outdated.clear();
    for (Map.Entry<Window, Long> entry : inOrder.entrySet()) {
      Ring.Sum sum = sumIfKept(entry.getKey());
      if (sum != null) {
        WrittenRow row = row(key, entry.getKey(), sum.pane(), false);
        if (hash(row) != entry.getValue()) {
          out.collect(row);
        }
      }
    }
  }

  private WrittenRow row(PaneKey key, Window window, Pane pane, boolean provisional)
      throws Exception {
    StatsFlags flags = null;
    if (Flags.judges(key, window)) {
      flags = Flags.of(key, window, pane, ring.edges(window, Flags.edgeMs(window, pane)));
    }
    return WrittenRow.of(StatsRows.of(key, window, pane, flags, provisional));
  }

  /** Tells the rows of a window apart: a pane can change nothing that its row shows. */
  private static long hash(WrittenRow row) {
    return XXH3.hashBytesToLong(row.json());
  }

  /** Shows the windows that must be over by now, if the watermark has stood still for long. */
  private void lookForSilence(PaneKey key, TimerService timers, Collector<WrittenRow> out)
      throws Exception {
    if (ring.isEmpty()) {
      return;
    }
    Silence clock = silence(timers);
    long nowMs = timers.currentProcessingTime();
    long lastsMs = clock.lastsMs(timers.currentWatermark(), nowMs);
    long finalUntilMs = emittedUntilMs(timers);
    if (lastsMs == 0 || finalUntilMs == Long.MIN_VALUE) {
      timers.registerProcessingTimeTimer(clock.checkAtMs(nowMs));
      return;
    }
    long newestMs = ring.newestStartMs();
    long overMs = finalUntilMs + lastsMs;
    show(key, Math.max(finalUntilMs, ring.shownUntilMs()), overMs, newestMs, out);
    ring.shownUntil(overMs);
    if (overMs < newestMs + RETENTION.toMillis()) {
      timers.registerProcessingTimeTimer(clock.tickAtMs(nowMs));
    }
  }

  /**
   * Shows the windows whose last millisecond lies in a time, as far as panes reach. Of those that
   * were shown before a pane came, only what it changed is shown again.
   */
  private void show(
      PaneKey key, long afterMs, long untilMs, long newestMs, Collector<WrittenRow> out)
      throws Exception {
    for (WindowSpec spec : windows) {
      if (!spec.covers(key)) {
        continue;
      }
      long lastEndMs = Math.min(untilMs + 1, spec.lastEndMs(newestMs));
      for (long endMs = spec.firstEndMs(afterMs + 1); endMs <= lastEndMs; endMs += spec.slideMs()) {
        show(key, spec.endingAt(endMs), out);
      }
    }
  }

  private void show(PaneKey key, Window window, Collector<WrittenRow> out) throws Exception {
    Ring.Sum sum = sumIfKept(window);
    if (sum == null) {
      return;
    }
    WrittenRow row = row(key, window, sum.pane(), true);
    Long hash = hash(row);
    if (!hash.equals(shown.get(window))) {
      shown.put(window, hash);
      out.collect(row);
    }
  }

  /** What was shown of windows that are emitted now is of no use any more. */
  private void forgetShown(long untilMs) throws Exception {
    if (shown.isEmpty()) {
      return;
    }
    Iterator<Window> windowsShown = shown.keys().iterator();
    while (windowsShown.hasNext()) {
      if (windowsShown.next().lastMs() <= untilMs) {
        windowsShown.remove();
      }
    }
    if (shown.isEmpty()) {
      // A map that is emptied entry by entry still stands in the heap backend.
      shown.clear();
    }
  }

  private Ring.Sum emit(PaneKey key, Window window, Collector<WrittenRow> out) throws Exception {
    Ring.Sum sum = sumIfKept(window);
    if (sum != null) {
      out.collect(row(key, window, sum.pane(), false));
    }
    return sum;
  }

  /** All panes of a window added up; null where there are none, or some are gone. */
  private Ring.Sum sumIfKept(Window window) throws Exception {
    return window.startMs() < ring.keptFromMs() ? null : ring.sum(window);
  }
}
