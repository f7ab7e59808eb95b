package io.warmpath.replica.fault;

import io.warmpath.replica.events.CacheEventSink;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;

/**
 * Loses, doubles and swaps batches on their way to a sink, as often as it is told to. What it loses
 * on purpose it does not count as dropped: nobody but the batch's missing number tells of it.
 */
public final class FaultySink implements CacheEventSink {

  private final CacheEventSink target;
  private final FaultyBatches<CacheEventBatch> batches;

  public FaultySink(CacheEventSink target, BatchFaults faults) {
    this.target = target;
    batches = faults.before(target::send);
  }

  @Override
  public void send(CacheEventBatch batch) {
    batches.send(batch);
  }

  @Override
  public void send(ReplicaTelemetry telemetry) {
    target.send(telemetry);
  }

  @Override
  public long dropped() {
    return target.dropped();
  }

  @Override
  public void close() {
    batches.sendHeld();
    target.close();
  }
}
