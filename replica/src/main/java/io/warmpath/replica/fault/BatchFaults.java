package io.warmpath.replica.fault;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Faults of the batches of one stream, and how often each is still to happen. One thread sets,
 * another takes.
 */
public final class BatchFaults {

  private final AtomicInteger lose = new AtomicInteger();
  private final AtomicInteger duplicate = new AtomicInteger();
  private final AtomicInteger reorder = new AtomicInteger();

  BatchFaults() {}

  void set(FaultOrder order) {
    set(lose, order.loseBatches());
    set(duplicate, order.duplicateBatches());
    set(reorder, order.reorderBatches());
  }

  private static void set(AtomicInteger count, Integer value) {
    if (value != null) {
      count.set(value);
    }
  }

  /** A way to a target on which batches are lost, doubled and swapped. */
  public <T> FaultyBatches<T> before(Consumer<T> target) {
    return new FaultyBatches<>(this, target);
  }

  boolean takeLoss() {
    return Faults.take(lose);
  }

  boolean takeDuplicate() {
    return Faults.take(duplicate);
  }

  boolean takeReorder() {
    return Faults.take(reorder);
  }

  int loseLeft() {
    return lose.get();
  }

  int duplicateLeft() {
    return duplicate.get();
  }

  int reorderLeft() {
    return reorder.get();
  }
}
