package io.warmpath.jobs.window;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.types.ValueTypeInfo;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Holds a model's rows until the watermark says that all of a window are there, then emits them in
 * the order window end, window size, policy, replica, with the total last: who reads it knows that
 * the window is complete.
 */
public final class RowOrder extends KeyedProcessFunction<String, RoutingStats, RoutingStats> {

  private static final long serialVersionUID = 1L;

  private transient MapState<RowPlace, RoutingStats> held;

  @Override
  public void open(OpenContext context) {
    held =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "held-rows",
                    TypeInformation.of(RowPlace.class),
                    ValueTypeInfo.of(RecordKind.ROUTING_STATS)));
  }

  @Override
  public void processElement(RoutingStats row, Context context, Collector<RoutingStats> out)
      throws Exception {
    held.put(RowPlace.of(row), row);
    long watermarkMs = context.timerService().currentWatermark();
    long lastMs = row.windowEndMs() - 1;
    // A window that comes again waits for the rest of what the same watermark brings.
    context.timerService().registerEventTimeTimer(lastMs > watermarkMs ? lastMs : watermarkMs + 1);
  }

  @Override
  public void onTimer(long timeMs, OnTimerContext context, Collector<RoutingStats> out)
      throws Exception {
    // Whatever the watermark completes is there when its first timer comes: one look for all.
    long nowMs = Math.max(timeMs, context.timerService().currentWatermark());
    TreeMap<RowPlace, RoutingStats> due = new TreeMap<>();
    Iterator<Map.Entry<RowPlace, RoutingStats>> entries = held.iterator();
    while (entries.hasNext()) {
      Map.Entry<RowPlace, RoutingStats> entry = entries.next();
      if (entry.getKey().endMs() - 1 <= nowMs) {
        due.put(entry.getKey(), entry.getValue());
        entries.remove();
      }
    }
    if (held.isEmpty()) {
      // A map that is emptied entry by entry still stands in the heap backend.
      held.clear();
    }
    due.values().forEach(out::collect);
  }
}
