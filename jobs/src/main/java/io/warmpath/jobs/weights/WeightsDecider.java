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
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs the control law over a model's rows. It decides when it reads the 60-s total, which comes
 * last of its window, and never twice on a window or on an older one. It has no clock, so that its
 * output is a function of the rows in their order.
 */
public final class WeightsDecider
    extends KeyedProcessFunction<String, RoutingStats, RoutingWeights> {

  private static final long serialVersionUID = 1L;

  /** Windows of this size decide. */
  public static final long DECIDING_WINDOW_MS = 60_000;

  /** Where the reasons for weights go. */
  public static final OutputTag<WeightDecision> DECISIONS =
      new OutputTag<>("decisions", ValueTypeInfo.of(RecordKind.WEIGHT_DECISION));

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
    ControlState state = control.value() == null ? ControlState.INITIAL : control.value();
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
    }
  }
}
