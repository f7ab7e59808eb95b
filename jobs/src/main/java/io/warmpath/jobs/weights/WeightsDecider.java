package io.warmpath.jobs.weights;

import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.jobs.types.JsonSerializer;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.types.ValueTypeInfo;
import io.warmpath.routing.control.ControlLaw;
import io.warmpath.routing.control.ControlState;
import io.warmpath.routing.control.Decision;
import io.warmpath.routing.control.WindowInput;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs the control law over a model's rows. It decides when it reads the 60-s total, which comes
 * last of its window, and never twice on a window or on an older one. It has no clock, so that its
 * output is a function of the rows in their order.
 *
 * <p>A model without a decision for {@link #FORGET_AFTER_MS} begins anew, and leaves no state and
 * no weights behind once the watermark is well past that.
 */
public final class WeightsDecider
    extends KeyedProcessFunction<String, RoutingStats, RoutingWeights> {

  private static final long serialVersionUID = 1L;

  /** Windows of this size decide. */
  public static final long DECIDING_WINDOW_MS = 60_000;

  /** Where the reasons for weights go. */
  public static final OutputTag<WeightDecision> DECISIONS =
      new OutputTag<>("decisions", ValueTypeInfo.of(RecordKind.WEIGHT_DECISION));

  /** What was known of a model for so long without a decision, in event time, is forgotten. */
  static final long FORGET_AFTER_MS = 3_600_000;

  /** A watermark can be ahead of a partition that was taken for idle. */
  static final long FORGET_MARGIN_MS = 600_000;

  /** Models that are gone. */
  public static final OutputTag<String> GONE = new OutputTag<>("gone", Types.STRING);

  private final WeightsJobConfig config;

  private transient ControlLaw law;
  private transient ValueState<ControlState> control;
  private transient MapState<String, RoutingStats> rowByReplica;

  public WeightsDecider(WeightsJobConfig config) {
    this.config = config;
  }

  /** Whether a row has any part in decisions; what a later row will replace has none. */
  public static boolean concerns(RoutingStats row) {
    return !row.provisional()
        && row.policy().equals(RoutingStats.ALL)
        && row.windowSizeMs() == DECIDING_WINDOW_MS;
  }

  @Override
  public void open(OpenContext context) {
    law = new ControlLaw(config.control());
    control =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("control", new ControlStateSerializer()));
    rowByReplica =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "rows-of-window",
                    StringSerializer.INSTANCE,
                    new JsonSerializer<>(RecordKind.ROUTING_STATS)));
  }

  @Override
  public void processElement(RoutingStats row, Context context, Collector<RoutingWeights> out)
      throws Exception {
    ControlState state = stateAt(row.windowEndMs());
    if (row.windowEndMs() <= state.epoch()) {
      return;
    }
    if (!row.isTotal()) {
      rowByReplica.put(row.replica(), row);
      return;
    }
    List<RoutingStats> rows = new ArrayList<>();
    rowByReplica.values().forEach(rows::add);
    rowByReplica.clear();
    Optional<Decision> decision = law.decide(state, WindowInput.of(row, rows));
    if (decision.isPresent()) {
      control.update(decision.get().next());
      out.collect(decision.get().weights());
      context.output(DECISIONS, decision.get().log());
      context.timerService().registerEventTimeTimer(goneAtMs(row.windowEndMs()));
    }
  }

  private ControlState stateAt(long timeMs) throws Exception {
    ControlState known = control.value();
    return known == null || timeMs > known.epoch() + FORGET_AFTER_MS ? ControlState.INITIAL : known;
  }

  /** Rounded up, so that a model's many decisions set few timers. */
  private static long goneAtMs(long epoch) {
    long timeMs = epoch + FORGET_AFTER_MS + FORGET_MARGIN_MS;
    return Math.floorDiv(timeMs, FORGET_MARGIN_MS) * FORGET_MARGIN_MS + FORGET_MARGIN_MS;
  }

  @Override
  public void onTimer(long timeMs, OnTimerContext context, Collector<RoutingWeights> out)
      throws Exception {
    ControlState known = control.value();
    if (known != null && goneAtMs(known.epoch()) <= timeMs) {
      control.clear();
      rowByReplica.clear();
      context.output(GONE, context.getCurrentKey());
    }
  }
}
