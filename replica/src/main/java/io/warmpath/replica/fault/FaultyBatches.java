package io.warmpath.replica.fault;

import java.util.function.Consumer;

/**
 * Loses, doubles and swaps batches on their way to a target, as often as it is told to. One thread
 * only.
 */
public final class FaultyBatches<T> {

  private final BatchFaults faults;
  private final Consumer<T> target;

  /** A batch that waits for the one after it, or null. */
  private T held;

  FaultyBatches(BatchFaults faults, Consumer<T> target) {
    this.faults = faults;
    this.target = target;
  }

  /** Sends a batch on, or does what is due instead. */
  public void send(T batch) {
    if (faults.takeLoss()) {
      return;
    }
    if (held == null && faults.takeReorder()) {
      held = batch;
      return;
    }
    target.accept(batch);
    if (faults.takeDuplicate()) {
      target.accept(batch);
    }
    sendHeld();
  }

  /** Sends the batch that waits for another one, if there is one. */
  public void sendHeld() {
    if (held != null) {
      target.accept(held);
      held = null;
    }
  }

  /** Forgets the batch that waits. */
  public void dropHeld() {
    held = null;
  }
}
