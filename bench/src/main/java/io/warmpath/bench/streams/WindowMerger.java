package io.warmpath.bench.streams;

import io.warmpath.bench.contender.WindowFigures;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.TimestampedWindowStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;

/** Makes windows of a minute of panes of five seconds whenever one is over. */
final class WindowMerger implements Processor<Windowed<String>, WindowSum, Void, Void> {

  /** Windows made; somebody must look at results, lest they be optimised away. */
  static final AtomicLong WINDOWS = new AtomicLong();

  private static final long SIZE_MS = WindowFigures.SIZE_MS;

  /** Other partitions may be behind by this much. */
  private static final long PATIENCE_MS = 30_000;

  private final Duration slide;
  private final String storeName;
  private TimestampedWindowStore<String, WindowSum> panes;

  WindowMerger(Duration slide, String storeName) {
    this.slide = slide;
    this.storeName = storeName;
  }

  @Override
  public void init(ProcessorContext<Void, Void> context) {
    panes = context.getStateStore(storeName);
    context.schedule(slide, PunctuationType.STREAM_TIME, this::windowsUpTo);
  }

  @Override
  public void process(Record<Windowed<String>, WindowSum> pane) {
    // It is in the store already.
  }

  private void windowsUpTo(long timeMs) {
    long slideMs = slide.toMillis();
    long endMs = (timeMs - PATIENCE_MS) / slideMs * slideMs;
    Map<String, WindowSum> windows = new HashMap<>();
    try (KeyValueIterator<Windowed<String>, ValueAndTimestamp<WindowSum>> inside =
        panes.fetchAll(endMs - SIZE_MS, endMs - slideMs)) {
      while (inside.hasNext()) {
        KeyValue<Windowed<String>, ValueAndTimestamp<WindowSum>> pane = inside.next();
        windows
            .computeIfAbsent(pane.key.key(), unseen -> new WindowSum())
            .merge(pane.value.value());
      }
    }
    windows.forEach(
        (key, window) ->
            WINDOWS.addAndGet(window.p95Us() < 0 ? 0 : Math.min(1, window.requests())));
  }
}
