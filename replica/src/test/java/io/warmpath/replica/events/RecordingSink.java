package io.warmpath.replica.events;

import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it gets. */
public final class RecordingSink implements CacheEventSink {

  public final List<CacheEventBatch> batches = new CopyOnWriteArrayList<>();
  public final List<ReplicaTelemetry> telemetry = new CopyOnWriteArrayList<>();
  public volatile boolean closed;

  /** All events, in order. */
  public List<CacheEvent> events() {
    return batches.stream().flatMap(batch -> batch.events().stream()).toList();
  }

  @Override
  public void send(CacheEventBatch batch) {
    batches.add(batch);
  }

  @Override
  public void send(ReplicaTelemetry sign) {
    telemetry.add(sign);
  }

  @Override
  public long dropped() {
    return 0;
  }

  @Override
  public void close() {
    closed = true;
  }
}
