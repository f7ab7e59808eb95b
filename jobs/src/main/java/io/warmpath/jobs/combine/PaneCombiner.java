package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import java.time.Duration;
import org.apache.flink.api.common.TaskInfo;
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
import org.apache.flink.util.OutputTag;

/**
 * Adds a topic's records up into panes where they are read, so that only panes travel. Chained to
 * its source, as it tells late records and copies by what went before in their partition: that
 * depends on nothing but the partition's own order.
 *
 * <p>Panes leave when the watermark passes them, when the input falls silent, when there are too
 * many, and before each barrier, so that none is ever in a checkpoint.
 *
 * @param <T> what was read of a record
 */
public final class PaneCombiner<T> extends AbstractStreamOperator<KeyedPane>
    implements OneInputStreamOperator<Inbound<T>, KeyedPane> {

  private static final long serialVersionUID = 1L;

  /** Where events go that came too late to count. */
  public static final OutputTag<DroppedEvent> DROPPED =
      new OutputTag<>("dropped", TypeInformation.of(DroppedEvent.class));

  /** At most this many panes are held back. */
  static final int MAX_OPEN_PANES = 10_000;

  private final Contribution<T> contribution;
  private final CombineRules rules;
  private final long keepMs;

  private transient OpenPanes panes;
  private transient PartitionMemories memories;
  private transient ListState<PartitionImage> images;
  private transient Counter late;
  private transient Counter dropped;
  private transient Counter skewed;
  private transient Counter duplicates;
  private transient Counter forgotten;
  private transient Counter missing;

  /**
   * @param contribution what the records add
   * @param rules which of them count
   * @param kept how long windows can change
   */
  public PaneCombiner(Contribution<T> contribution, CombineRules rules, Duration kept) {
    this.contribution = contribution;
    this.rules = rules;
    this.keepMs = kept.toMillis();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    memories = new PartitionMemories(rules, keepMs);
    // Each subtask gets all of it, as partitions may be given to others after a restart.
    images =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("partitions", new PartitionImage.Serializer()));
    memories.restore(images.get());
  }

  @Override
  public void open() throws Exception {
    super.open();
    panes = new OpenPanes();
    late = getMetricGroup().counter("late_events");
    dropped = getMetricGroup().counter("dropped_events");
    skewed = getMetricGroup().counter("skewed_events");
    duplicates = getMetricGroup().counter("duplicate_events");
    missing = getMetricGroup().counter("missing_batches");
    forgotten = getMetricGroup().counter("fingerprints_forgotten");
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
    PartitionMemory memory = memories.of(parsed.topic(), parsed.partition());
    memory.passed(parsed.offset());
    long timeMs = parsed.eventTimeMs();
    long highMs = memory.highMs();
    boolean tooLate = rules.lateness().isTooLate(timeMs, highMs);
    // What is too late has its time closed for good, so it is counted where its partition stood.
    OpenPanes.Second second = panes.at(tooLate ? highMs : timeMs);
    PaneKey key = memory.keys().of(contribution.keyOf(parsed.value()), second.timeMs());
    Sequence.Verdict place = place(parsed.value(), memory, Math.max(highMs, timeMs));
    if (place == Sequence.Verdict.RESTART) {
      second.of(key).add(Count.CACHE_RESTARTS, 1);
    }
    if (place == Sequence.Verdict.COPY) {
      second.of(key).add(Count.CACHE_DUPLICATES, 1);
      duplicates.inc();
    } else if (isCopy(parsed, memory, tooLate)) {
      second.of(key).add(Count.DUPLICATES, 1);
      duplicates.inc();
    } else if (tooLate) {
      second.of(key).add(Count.DROPPED, 1);
      drop(parsed, highMs);
    } else {
      memory.raise(timeMs);
      count(parsed, key, second, rules.lateness().isLate(timeMs, highMs));
    }
    if (memory.sequences().isWaiting()) {
      countLost(memory);
    }
  }

  private void drop(Parsed<T> parsed, long highMs) {
    dropped.inc();
    DroppedEvent event =
        new DroppedEvent(
            parsed.topic(), parsed.partition(), parsed.offset(), parsed.eventTimeMs(), highMs);
    output.collect(DROPPED, new StreamRecord<>(event, event.eventTimeMs()));
  }

  private Sequence.Verdict place(T record, PartitionMemory memory, long highMs) {
    SequencePlace place = contribution.placeOf(record);
    return place == null ? Sequence.Verdict.NEW : memory.sequences().note(place, highMs);
  }

  /** Counts what is lost at the time at which that became certain. */
  private void countLost(PartitionMemory memory) {
    long highMs = memory.highMs();
    memory
        .sequences()
        .takeLost(
            highMs - rules.lateness().boundMs(),
            (key, lost) -> {
              OpenPanes.Second now = panes.at(highMs);
              now.of(memory.keys().of(key, highMs)).add(Count.CACHE_GAPS, lost);
              missing.inc(lost);
            });
  }

  /** Whether the event was counted before; if not, and it counts now, it is remembered. */
  private boolean isCopy(Parsed<T> parsed, PartitionMemory memory, boolean tooLate) {
    if (!rules.looksForCopies() || !contribution.tellsCopies()) {
      return false;
    }
    long fingerprint = contribution.fingerprint(parsed.value());
    Fingerprints counted = memory.counted();
    if (tooLate) {
      return counted.contains(fingerprint);
    }
    long before = counted.forgotten();
    long timeMs = parsed.eventTimeMs();
    boolean isNew = counted.add(fingerprint, timeMs, Math.max(memory.highMs(), timeMs));
    forgotten.inc(counted.forgotten() - before);
    return !isNew;
  }

  private void count(Parsed<T> parsed, PaneKey key, OpenPanes.Second second, boolean isLate) {
    if (isLate) {
      second.of(key).add(Count.LATE, 1);
      late.inc();
    }
    if (parsed.skewed()) {
      second.of(key).add(Count.SKEWED, 1);
      skewed.inc();
    }
    contribution.add(parsed.value(), key, second);
  }

  private void emit(KeyedPane pane) {
    output.collect(new StreamRecord<>(pane, pane.startMs()));
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    // A watermark of t says that t itself is over.
    long nowMs = mark.getTimestamp();
    panes.closeUpTo(nowMs == Long.MAX_VALUE ? nowMs : nowMs + 1, this::emit);
    memories.forgetClosed(nowMs);
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
    TaskInfo task = getRuntimeContext().getTaskInfo();
    images.update(
        memories.images(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks()));
  }

  @Override
  public void finish() throws Exception {
    panes.closeAll(this::emit);
    super.finish();
  }
}
