package io.warmpath.jobs.shadow;

import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.routing.shadow.ShadowSettings;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Plays each model's events in order of event time, as far as the watermark allows: events wait for
 * it, later ones are left out. Shadows live as objects, as each request touches most of them, and
 * are written to the model's keyed state before each snapshot. A model that vanished leaves no
 * state.
 */
public final class ShadowOperator extends AbstractStreamOperator<ShadowStats>
    implements TwoInputStreamOperator<RequestEvent, RoutingWeights, ShadowStats> {

  private static final long serialVersionUID = 1L;

  /** Models beyond this, in one subtask, are not shadowed. */
  static final int MAX_MODELS = 256;

  private static final String STATE = "shadows";
  private static final String LAST_EVENTS = "last-events";

  private final ShadowJobConfig config;

  private transient ShadowSettings settings;
  private transient Map<String, ModelShadows> models;
  private transient ValueState<byte[]> state;
  private transient ValueState<Long> lastEventsMs;
  private transient long watermarkMs;
  private transient Counter late;
  private transient Counter early;
  private transient Counter ignored;

  public ShadowOperator(ShadowJobConfig config) {
    this.config = config;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    settings = config.settings();
    models = new TreeMap<>();
    watermarkMs = Long.MIN_VALUE;
    state =
        context
            .getKeyedStateStore()
            .getState(new ValueStateDescriptor<>(STATE, BytePrimitiveArraySerializer.INSTANCE));
    lastEventsMs =
        context
            .getKeyedStateStore()
            .getState(new ValueStateDescriptor<>(LAST_EVENTS, LongSerializer.INSTANCE));
    List<String> known;
    try (Stream<String> keys =
        this.<String>getKeyedStateBackend().getKeys(STATE, VoidNamespace.INSTANCE)) {
      known = keys.toList();
    }
    for (String model : known) {
      setCurrentKey(model);
      models.put(model, ModelShadows.of(state.value(), lastEventsMs.value(), model, settings));
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    late = getMetricGroup().counter("late_events");
    early = getMetricGroup().counter("events_played_early");
    ignored = getMetricGroup().counter("events_of_ignored_models");
  }

  @Override
  public void processElement1(StreamRecord<RequestEvent> element) {
    RequestEvent event = element.getValue();
    if (element.getTimestamp() <= watermarkMs) {
      late.inc();
    } else {
      add(event.context().model(), Waiting.of(element.getTimestamp(), event));
    }
  }

  /** Weights count however late they come, as they hold until the next. */
  @Override
  public void processElement2(StreamRecord<RoutingWeights> element) {
    RoutingWeights weights = element.getValue();
    add(weights.model(), Waiting.of(element.getTimestamp(), weights));
  }

  private void add(String model, Waiting event) {
    ModelShadows shadows = models.get(model);
    if (shadows == null) {
      if (models.size() == MAX_MODELS) {
        ignored.inc();
        return;
      }
      shadows = new ModelShadows(model, settings);
      models.put(model, shadows);
    }
    shadows.add(event);
    if (shadows.waiting() > config.maxBuffered()) {
      early.inc();
      shadows.playOldest(this::emit);
    }
  }

  private void emit(ShadowStats row) {
    output.collect(new StreamRecord<>(row, row.windowEndMs() - 1));
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    watermarkMs = mark.getTimestamp();
    for (ModelShadows shadows : models.values()) {
      shadows.playUpTo(watermarkMs, this::emit);
    }
    forgetGone();
    super.processWatermark(mark);
  }

  private void forgetGone() {
    Iterator<Map.Entry<String, ModelShadows>> entries = models.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, ModelShadows> model = entries.next();
      if (model.getValue().areGoneBy(watermarkMs)) {
        setCurrentKey(model.getKey());
        state.clear();
        lastEventsMs.clear();
        entries.remove();
      }
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    for (Map.Entry<String, ModelShadows> model : models.entrySet()) {
      setCurrentKey(model.getKey());
      state.update(model.getValue().toBytes());
      lastEventsMs.update(model.getValue().lastEventMs());
    }
    super.snapshotState(context);
  }
}
