package io.warmpath.console.export;

import io.warmpath.console.source.ResultHandler;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Brings the weights of a model to a router: takes records from a source on one thread, and on
 * another one, at each {@link #step}, gives the router what it should have and has not.
 */
public final class Exporter implements ResultHandler {

  /**
   * Time after which a source that could not be read is taken for one without weights, ms: whatever
   * the router was given before this export began has run out by then (the control law's lease).
   */
  static final long SILENCE_MS = 30_000;

  private final ReplicaMap map;
  private final ExportFormat format;
  private final FleetWeights weights;
  private final RouterTarget target;
  private final ExportListener listener;
  private final long startMs;
  private final Semaphore news = new Semaphore(0);

  private boolean caughtUp;
  private long invalidRecords;

  private FleetShares lastShares;
  private RouterWeights applied;
  private boolean pending = true;
  private long applications;
  private long failures;
  private String failure;
  private long appliedMs;

  /**
   * @param startMs epoch milliseconds
   */
  public Exporter(
      ReplicaMap map,
      ExportFormat format,
      VanishedReplicas vanished,
      RouterTarget target,
      ExportListener listener,
      long startMs) {
    this.map = map;
    this.format = format;
    this.weights =
        new FleetWeights(
            map.model(), map.replicas().stream().map(MappedReplica::name).toList(), vanished);
    this.target = target;
    this.listener = listener;
    this.startMs = startMs;
  }

  @Override
  public synchronized void onWeights(RoutingWeights published) {
    if (weights.accept(published)) {
      news.release();
    }
  }

  @Override
  public synchronized void onInvalid(String topic, RuntimeException reason) {
    invalidRecords++;
  }

  @Override
  public synchronized void onCaughtUp() {
    caughtUp = true;
    news.release();
  }

  /** Whether all that was published before the start has been read. */
  public synchronized boolean isCaughtUp() {
    return caughtUp;
  }

  /** Waits for news, or for a while. */
  public void awaitNews(long millis) throws InterruptedException {
    if (news.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
      news.drainPermits();
    }
  }

  /** What the replicas should get; empty replicas as long as that is not known. */
  private synchronized FleetShares shares(long nowMs) {
    boolean known = caughtUp || nowMs - startMs >= SILENCE_MS;
    return known ? weights.at(nowMs) : null;
  }

  /**
   * Gives the router what it should have and has not. Does nothing before the source was read once,
   * or was silent for too long.
   *
   * @param nowMs epoch milliseconds
   */
  public void step(long nowMs) {
    FleetShares shares = shares(nowMs);
    if (shares == null) {
      return;
    }
    tell(shares);
    RouterWeights wanted = RouterWeights.of(shares, map.replicas(), target.scale());
    String reason = null;
    boolean done = false;
    try {
      boolean had = wanted.sameAs(applied) && target.holds(applied);
      done = had || target.apply(wanted, nowMs);
      if (!had && done) {
        count(wanted, nowMs);
        listener.onApplied(wanted);
      }
    } catch (IOException e) {
      reason = e.getMessage() == null ? e.toString() : e.getMessage();
    }
    boolean isNew = note(done, reason);
    if (isNew) {
      listener.onFailure(reason);
    }
  }

  private void tell(FleetShares shares) {
    FleetShares last;
    synchronized (this) {
      last = lastShares;
      lastShares = shares;
    }
    if (last == null || last.lease() != shares.lease()) {
      listener.onLease(shares);
    }
    if (!shares.unmapped().equals(last == null ? List.of() : last.unmapped())) {
      listener.onUnmapped(shares.unmapped());
    }
  }

  private synchronized void count(RouterWeights wanted, long nowMs) {
    applied = wanted;
    applications++;
    appliedMs = nowMs;
  }

  /** Whether this failure is another one than the last. */
  private synchronized boolean note(boolean done, String reason) {
    pending = !done;
    if (reason == null) {
      failure = done ? null : failure;
      return false;
    }
    failures++;
    boolean other = !reason.equals(failure);
    failure = reason;
    return other;
  }

  /** How it is doing; safe for every thread. */
  public synchronized ExportStatus status() {
    FleetShares shares =
        lastShares == null
            ? new FleetShares(LeaseStanding.NONE, 0, 0, List.of(), List.of())
            : lastShares;
    return new ExportStatus(
        map.model(),
        format.toString(),
        shares.lease(),
        shares.epoch(),
        shares.validUntilMs(),
        pending,
        applications,
        failures,
        failure,
        appliedMs,
        applied == null ? List.of() : applied.replicas().stream().map(ExportedWeight::of).toList(),
        shares.unmapped(),
        invalidRecords);
  }
}
