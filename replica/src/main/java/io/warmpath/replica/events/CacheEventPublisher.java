package io.warmpath.replica.events;

import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers the collected events, sends them every {@value #FLUSH_MS} ms, and telemetry beside them,
 * all on a thread of its own. A batch that is lost, wherever, leaves its number out.
 */
public final class CacheEventPublisher implements AutoCloseable {

  /** Routers decide by these events: they must not wait long. */
  private static final int FLUSH_MS = 20;

  private static final long CLOSE_MS = 3_000;
  private static final Logger LOG = LoggerFactory.getLogger(CacheEventPublisher.class);

  private final String replica;
  private final String model;
  private final long incarnation;
  private final CacheEventLog log;
  private final CacheEventSink sink;
  private final ScheduledExecutorService thread;
  private long nextSeq;

  /**
   * @param incarnation start of the engine, epoch milliseconds
   */
  public CacheEventPublisher(
      String replica, String model, long incarnation, CacheEventLog log, CacheEventSink sink) {
    this.replica = replica;
    this.model = model;
    this.incarnation = incarnation;
    this.log = log;
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
  public void start(Supplier<ReplicaTelemetry> telemetry, Duration telemetryInterval) {
    thread.scheduleWithFixedDelay(guarded(this::flush), FLUSH_MS, FLUSH_MS, TimeUnit.MILLISECONDS);
    thread.scheduleAtFixedRate(
        guarded(() -> sink.send(telemetry.get())),
        0,
        telemetryInterval.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Sends what was collected, and closes the sink. */
  @Override
  public void close() {
    thread.execute(guarded(this::flush));
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
    CacheEventLog.Drained drained = log.drain();
    List<List<CacheEvent>> parts = BatchSplitter.split(drained.events());
    if (!parts.isEmpty()) {
      long seq = nextSeq++;
      for (int i = 0; i < parts.size(); i++) {
        Integer part = parts.size() == 1 ? null : Integer.valueOf(i);
        sink.send(
            new CacheEventBatch(
                drained.lastEventMs(),
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
