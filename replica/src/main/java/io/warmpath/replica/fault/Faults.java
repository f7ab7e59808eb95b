package io.warmpath.replica.fault;

import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The faults of a replica beside those of its engine's speed, and how often each is still to
 * happen. One thread sets, others take.
 */
public final class Faults {

  private static final int UNAVAILABLE = 503;

  private final AtomicInteger crashRequests = new AtomicInteger();
  private final AtomicInteger loseBatches = new AtomicInteger();
  private final AtomicInteger duplicateBatches = new AtomicInteger();
  private final AtomicInteger reorderBatches = new AtomicInteger();
  private volatile double rejectShare;
  private volatile int rejectStatus = UNAVAILABLE;
  private volatile int crashAfterTokens = 1;

  /** Part of a refusal that is due; used by the thread that takes requests. */
  private double rejectDue;

  /** Takes over what the order says of requests and batches. */
  public void set(FaultOrder order) {
    if (order.rejectShare() != null) {
      rejectShare = order.rejectShare();
    }
    if (order.rejectStatus() != null) {
      rejectStatus = order.rejectStatus();
    }
    if (order.crashAfterTokens() != null) {
      crashAfterTokens = order.crashAfterTokens();
    }
    set(crashRequests, order.crashRequests());
    set(loseBatches, order.loseBatches());
    set(duplicateBatches, order.duplicateBatches());
    set(reorderBatches, order.reorderBatches());
  }

  private static void set(AtomicInteger count, Integer value) {
    if (value != null) {
      count.set(value);
    }
  }

  /** Status to refuse this request with, if it is one to refuse. Refusals are spread evenly. */
  public OptionalInt takeRejection() {
    rejectDue += rejectShare;
    if (rejectDue < 1) {
      return OptionalInt.empty();
    }
    rejectDue -= 1;
    return OptionalInt.of(rejectStatus);
  }

  /** Tokens after which this answer breaks off, if it is one that does. */
  public OptionalInt takeCrash() {
    return take(crashRequests) ? OptionalInt.of(crashAfterTokens) : OptionalInt.empty();
  }

  boolean takeLoss() {
    return take(loseBatches);
  }

  boolean takeDuplicate() {
    return take(duplicateBatches);
  }

  boolean takeReorder() {
    return take(reorderBatches);
  }

  private static boolean take(AtomicInteger left) {
    return left.get() > 0 && left.getAndDecrement() > 0;
  }

  public double rejectShare() {
    return rejectShare;
  }

  public int rejectStatus() {
    return rejectStatus;
  }

  public int crashRequests() {
    return crashRequests.get();
  }

  public int crashAfterTokens() {
    return crashAfterTokens;
  }

  public int loseBatches() {
    return loseBatches.get();
  }

  public int duplicateBatches() {
    return duplicateBatches.get();
  }

  public int reorderBatches() {
    return reorderBatches.get();
  }
}
