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
  private final Faults faults;

  /** A batch that waits for the one after it, or null. */
  private CacheEventBatch held;

  public FaultySink(CacheEventSink target, Faults faults) {
    this.target = target;
    this.faults = faults;
  }

  @Override
  public void send(CacheEventBatch batch) {
    if (faults.takeLoss()) {
      return;
    }
    if (held == null && faults.takeReorder()) {
      held = batch;
      return;
    }
    target.send(batch);
    if (faults.takeDuplicate()) {
      target.send(batch);
    }
    sendHeld();
  }

  private void sendHeld() {
    if (held != null) {
      target.send(held);
      held = null;
    }
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
    sendHeld();
    target.close();
  }
}
