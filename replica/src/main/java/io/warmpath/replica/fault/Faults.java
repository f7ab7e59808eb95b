package io.warmpath.replica.fault;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/**
 * The faults of a replica beside those of its engine's speed, and how often each is still to
 * happen. One thread sets, others take.
 */
public final class Faults {

  private static final int UNAVAILABLE = 503;

  private final AtomicInteger crashRequests = new AtomicInteger();
  private final List<BatchFaults> streams = new CopyOnWriteArrayList<>();
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
    if (order.crashRequests() != null) {
      crashRequests.set(order.crashRequests());
    }
    streams.forEach(stream -> stream.set(order));
  }

  /** Faults of one more stream of batches. Each stream has as many as the order says. */
  public BatchFaults addStream() {
    BatchFaults stream = new BatchFaults();
    streams.add(stream);
    return stream;
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

  static boolean take(AtomicInteger left) {
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

  /** Batches still to lose, in the stream where most are left; the next two likewise. */
  public int loseBatches() {
    return most(BatchFaults::loseLeft);
  }

  public int duplicateBatches() {
    return most(BatchFaults::duplicateLeft);
  }

  public int reorderBatches() {
    return most(BatchFaults::reorderLeft);
  }

  private int most(ToIntFunction<BatchFaults> left) {
    return streams.stream().mapToInt(left).max().orElse(0);
  }
}
