package io.warmpath.jobs.pane;

import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.schemas.WarmpathRecord;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/**
 * Adds a topic's records up into panes where they are read, so that only panes travel. Chained to
 * its source, as it tells late records by the highest time of their partition: that depends on
 * nothing but the partition's own order.
 *
 * <p>Panes leave when the watermark passes them, when the input falls silent, when there are too
 * many, and before each barrier, so that none is ever in a checkpoint.
 *
 * @param <T> the records of the topic
 */
public final class PaneCombiner<T extends WarmpathRecord> extends AbstractStreamOperator<KeyedPane>
    implements OneInputStreamOperator<Inbound<T>, KeyedPane> {

  private static final long serialVersionUID = 1L;

  /** At most this many panes are held back. */
  static final int MAX_OPEN_PANES = 10_000;

  private final Contribution<T> contribution;
  private final Lateness lateness;

  private transient OpenPanes panes;
  private transient HighTimes highs;
  private transient ListState<HighTime> highsState;
  private transient Counter late;
  private transient Counter dropped;
  private transient Counter skewed;

  public PaneCombiner(Contribution<T> contribution, Lateness lateness) {
    this.contribution = contribution;
    this.lateness = lateness;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    highs = new HighTimes();
    // Each subtask gets all of it, as partitions may be given to others after a restart.
    highsState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("highest-times", TypeInformation.of(HighTime.class)));
    highs.restore(highsState.get());
  }

  @Override
  public void open() throws Exception {
    super.open();
    panes = new OpenPanes();
    late = getMetricGroup().counter("late_events");
    dropped = getMetricGroup().counter("dropped_events");
    skewed = getMetricGroup().counter("skewed_events");
  }

  @Override
  public void processElement(StreamRecord<Inbound<T>> element) {
    if (element.getValue() instanceof Parsed<T> parsed) {
      add(parsed);
      if (panes.size() >= MAX_OPEN_PANES) {
        panes.closeAll(this::emit);
      }
    }
  }

  private void add(Parsed<T> parsed) {
    PaneKey key = contribution.keyOf(parsed.value());
    long timeMs = parsed.eventTimeMs();
    long highMs = highs.of(parsed.topic(), parsed.partition());
    if (lateness.isTooLate(timeMs, highMs)) {
      // Its own time is closed for good, so it is counted where its partition stood.
      panes.at(highMs).of(key).add(Count.DROPPED, 1);
      dropped.inc();
      return;
    }
    OpenPanes.Second second = panes.at(timeMs);
    if (lateness.isLate(timeMs, highMs)) {
      second.of(key).add(Count.LATE, 1);
      late.inc();
    }
    if (parsed.skewed()) {
      second.of(key).add(Count.SKEWED, 1);
      skewed.inc();
    }
    contribution.add(parsed.value(), key, second);
    highs.raise(parsed.topic(), parsed.partition(), timeMs);
  }

  private void emit(KeyedPane pane) {
    output.collect(new StreamRecord<>(pane, pane.startMs()));
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    // A watermark of t says that t itself is over.
    long nowMs = mark.getTimestamp();
    panes.closeUpTo(nowMs == Long.MAX_VALUE ? nowMs : nowMs + 1, this::emit);
    super.processWatermark(mark);
  }

  @Override
  public void processWatermarkStatus(WatermarkStatus status) throws Exception {
    // Others are not held up any longer, so nothing may be held back here.
    panes.closeAll(this::emit);
    super.processWatermarkStatus(status);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    panes.closeAll(this::emit);
    super.prepareSnapshotPreBarrier(checkpointId);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    highsState.update(highs.entries());
  }

  @Override
  public void finish() throws Exception {
    panes.closeAll(this::emit);
    super.finish();
  }
}
