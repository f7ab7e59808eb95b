package io.warmpath.jobs.window;

import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Holds a model's rows until the watermark says that all of a window are there, then emits them in
 * the order window end, window size, policy, replica, with the total last: who reads it knows that
 * the window is complete. Provisional rows have no watermark to wait for: they wait for a moment by
 * the clock, and none comes after the row that replaces it.
 */
public final class RowOrder extends KeyedProcessFunction<String, WrittenRow, WrittenRow> {

  private static final long serialVersionUID = 1L;

  /** All keys show their windows at once; until then their rows are on the way. */
  private static final long PROVISIONAL_EVERY_MS = 1_000;

  private static final long PROVISIONAL_WAIT_MS = 500;

  private transient MapState<RowPlace, WrittenRow> held;
  private transient MapState<RowPlace, WrittenRow> provisional;

  @Override
  public void open(OpenContext context) {
    held = rows("held-rows");
    provisional = rows("provisional-rows");
  }

  private MapState<RowPlace, WrittenRow> rows(String name) {
    return getRuntimeContext()
        .getMapState(
            new MapStateDescriptor<>(name, TypeInformation.of(RowPlace.class), WrittenRow.TYPE));
  }

  @Override
  public void processElement(WrittenRow row, Context context, Collector<WrittenRow> out)
      throws Exception {
    if (row.provisional()) {
      provisional.put(row.place(), row);
      long nowMs = context.timerService().currentProcessingTime();
      context.timerService().registerProcessingTimeTimer(provisionalAtMs(nowMs));
      return;
    }
    held.put(row.place(), row);
    long watermarkMs = context.timerService().currentWatermark();
    long lastMs = row.place().endMs() - 1;
    // A window that comes again waits for the rest of what the same watermark brings.
    context.timerService().registerEventTimeTimer(lastMs > watermarkMs ? lastMs : watermarkMs + 1);
  }

  private static long provisionalAtMs(long nowMs) {
    long tick = Math.floorDiv(nowMs + PROVISIONAL_WAIT_MS, PROVISIONAL_EVERY_MS);
    return tick * PROVISIONAL_EVERY_MS + PROVISIONAL_WAIT_MS;
  }

  @Override
  public void onTimer(long timeMs, OnTimerContext context, Collector<WrittenRow> out)
      throws Exception {
    long watermarkMs = context.timerService().currentWatermark();
    if (context.timeDomain() == TimeDomain.PROCESSING_TIME) {
      take(provisional, Long.MAX_VALUE).values().stream()
          .filter(row -> row.place().endMs() - 1 > watermarkMs)
          .forEach(out::collect);
      return;
    }
    // Whatever the watermark completes is there when its first timer comes: one look for all.
    long untilMs = Math.max(timeMs, watermarkMs);
    take(held, untilMs).values().forEach(out::collect);
    // After a restart the watermark begins anew, and could not hold these back.
    take(provisional, untilMs);
  }

  /** Takes the rows of windows whose last millisecond is up to a time, in their order. */
  private static SortedMap<RowPlace, WrittenRow> take(
      MapState<RowPlace, WrittenRow> rows, long untilMs) throws Exception {
    SortedMap<RowPlace, WrittenRow> due = new TreeMap<>();
    Iterator<Map.Entry<RowPlace, WrittenRow>> entries = rows.iterator();
    while (entries.hasNext()) {
      Map.Entry<RowPlace, WrittenRow> entry = entries.next();
      if (entry.getKey().endMs() - 1 <= untilMs) {
        due.put(entry.getKey(), entry.getValue());
        entries.remove();
      }
    }
    if (rows.isEmpty()) {
      // A map that is emptied entry by entry still stands in the heap backend.
      rows.clear();
    }
    return due;
  }
}
