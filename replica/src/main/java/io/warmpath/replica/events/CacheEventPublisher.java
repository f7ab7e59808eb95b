package io.warmpath.replica.events;

import io.warmpath.schemas.cache.BatchSplitter;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers the collected events, sends them every {@value #FLUSH_MS} ms, and telemetry beside them,
 * all on a thread of its own. A batch that is lost, wherever, leaves its number out; the next one
 * shows that, and the engine's counters come at intervals also when nothing else does.
 */
public final class CacheEventPublisher implements AutoCloseable {

  /** Routers decide by these events: they must not wait long. */
  private static final int FLUSH_MS = 20;

  private static final long CLOSE_MS = 3_000;
  private static final Logger LOG = LoggerFactory.getLogger(CacheEventPublisher.class);

  private final String replica;
  private final String model;
  private long incarnation;
  private final CacheEventLog log;
  private final CacheEventSink sink;
  private final ScheduledExecutorService thread;
  private final Supplier<TokenCounters> counters;
  private final LongSupplier epochMs;
  private TokenCounters told = new TokenCounters(0, 0);
  private long toldMs;
  private long nextSeq;
  private volatile boolean started;

  /**
   * @param incarnation start of the engine, epoch milliseconds
   * @param counters the engine's counters, which stood at 0 then
   * @param epochMs the wall clock
   */
  public CacheEventPublisher(
      String replica,
      String model,
      long incarnation,
      CacheEventLog log,
      Supplier<TokenCounters> counters,
      LongSupplier epochMs,
      CacheEventSink sink) {
    this.replica = replica;
    this.model = model;
    this.incarnation = incarnation;
    this.log = log;
    this.counters = counters;
    this.epochMs = epochMs;
    this.toldMs = incarnation;
    this.sink = sink;
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread t = new Thread(task, replica + "-events");
              t.setDaemon(true);
              return t;
            });
  }

  /** Starts to send. */
  public void start(
      Supplier<ReplicaTelemetry> telemetry, Duration telemetryInterval, Duration countersInterval) {
    started = true;
    thread.scheduleWithFixedDelay(guarded(this::flush), FLUSH_MS, FLUSH_MS, TimeUnit.MILLISECONDS);
    thread.scheduleAtFixedRate(
        guarded(() -> sink.send(telemetry.get())),
        0,
        telemetryInterval.toMillis(),
        TimeUnit.MILLISECONDS);
    thread.scheduleAtFixedRate(
        guarded(this::flushWithCounters),
        countersInterval.toMillis(),
        countersInterval.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /**
   * Sends what was collected, and closes the sink. One that was never started sends nothing: its
   * incarnation would announce a restart of the replica that runs under its name.
   */
  @Override
  public void close() {
    if (started) {
      thread.execute(guarded(this::flushWithCounters));
    }
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
    sink.close();
  }

  /** Sends what was collected since the last time. */
  void flush() {
    CacheEventLog.Drained drained = drain();
    send(drained, drained.events(), drained.lastEventMs());
  }

  /** The same, and how far the engine's counters rose since they were told last. */
  void flushWithCounters() {
    TokenCounters now = counters.get();
    long nowMs = epochMs.getAsLong();
    CacheEventLog.Drained drained = drain();
    if (drained.restart() != null) {
      // What was read may be from before: nothing is known to have happened since.
      now = drained.restart();
    }
    List<CacheEvent> events = new ArrayList<>(drained.events());
    events.add(
        new CacheEvent.Counters(
            now.queriedTokens() - told.queriedTokens(),
            now.hitTokens() - told.hitTokens(),
            Math.max(0, nowMs - toldMs)));
    told = now;
    toldMs = nowMs;
    // An event may have come after the clock was read, or the clock was set back.
    send(drained, events, Math.max(nowMs, drained.lastEventMs()));
  }

  private CacheEventLog.Drained drain() {
    CacheEventLog.Drained drained = log.drain();
    if (drained.restart() != null) {
      incarnation = Math.max(incarnation + 1, epochMs.getAsLong());
      nextSeq = 0;
      told = drained.restart();
    }
    return drained;
  }

  private void send(CacheEventLog.Drained drained, List<CacheEvent> events, long lastEventMs) {
    List<List<CacheEvent>> parts = BatchSplitter.split(events);
    if (!parts.isEmpty()) {
      long seq = nextSeq++;
      for (int i = 0; i < parts.size(); i++) {
        Integer part = parts.size() == 1 ? null : Integer.valueOf(i);
        sink.send(
            new CacheEventBatch(
                lastEventMs,
                replica,
                model,
                CacheEventBatch.Source.ENGINE,
                incarnation,
                0,
                seq,
                part,
                parts.get(i)));
      }
    }
    if (drained.lostAfter()) {
      LOG.warn("{}: cache events were lost, nobody took them in time", replica);
      nextSeq++;
    }
  }

  /** An executor drops a periodic task that throws once: one bad record must not silence all. */
  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.error("{}: events were not sent", replica, e);
      }
    };
  }
}
