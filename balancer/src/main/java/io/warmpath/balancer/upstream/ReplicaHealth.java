package io.warmpath.balancer.upstream;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Whether a replica gets requests:
 *
 * <pre>
 * UP ──no connection, or its answers fail──▶ EJECTED ──its time is over──▶ HALF_OPEN
 *  ▲                                           ▲                             │
 *  │                                           └── twice as long ◀── failed ─┤ one request
 *  └─────────────────────── slow start ◀── answered ─────────────────────────┘
 * </pre>
 *
 * Beside that it is DOWN while its checks fail, BUSY for as long as it asked for, and DRAINING
 * while an operator wants it so. Safe for concurrent use; reading takes no lock.
 */
public final class ReplicaHealth {

  /** What is said of a replica. */
  public enum State {
    UP,
    /** An operator wants it to get no new requests. */
    DRAINING,
    /** Checks fail. */
    DOWN,
    /** A connection or too many answers failed a moment ago. */
    EJECTED,
    /** Was ejected; one request at a time finds out whether it is well again. */
    HALF_OPEN,
    /** Asked for a pause with {@code Retry-After}. */
    BUSY;

    /** Name on the admin page. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Share of its part of the requests that a replica gets when slow start begins. */
  private static final double SLOW_START_FROM = 0.1;

  private final int failuresUntilDown;
  private final long firstEjectionNanos;

  /** How long one probe holds up the next. */
  private final long probeNanos;

  private final EjectionSettings settings;
  private final FleetHealth fleet;
  private final LongSupplier nanoTime;
  private final RecentCounts recent;

  private volatile boolean draining;
  private volatile boolean drainingByFile;

  /** Nobody is there, or it says itself that it is ill. */
  private volatile boolean down;

  /** It does not answer checks in time, or was not checked yet. */
  private volatile boolean unresponsive;

  private volatile boolean ejected;
  private volatile long ejectedUntil;

  /** The request that finds out how an ejected replica is; others are kept away meanwhile. */
  private volatile Attempt probe;

  private volatile boolean busy;
  private volatile long busyUntil;
  private volatile boolean recovering;
  private volatile long recoveredAt;

  private int failedChecks;
  private boolean gone;
  private int failedInARow;
  private boolean unreachable;

  /** Ejections so far; attempts of before the last one say nothing of the replica as it is now. */
  private long generation;

  /** Ejections in close succession. */
  private int ejections;

  /**
   * The health of a replica that is alone and ejected by the default rules.
   *
   * @param nanoTime monotonic clock
   */
  public ReplicaHealth(HealthSettings settings, LongSupplier nanoTime) {
    this(
        settings,
        EjectionSettings.DEFAULTS,
        new FleetHealth(EjectionSettings.DEFAULTS.maxShare()),
        nanoTime);
  }

  /**
   * @param fleet the replicas of the same model, which this one joins
   * @param nanoTime monotonic clock
   */
  public ReplicaHealth(
      HealthSettings health, EjectionSettings ejection, FleetHealth fleet, LongSupplier nanoTime) {
    this.failuresUntilDown = health.failures();
    this.firstEjectionNanos = health.ejection().toNanos();
    Duration firstOrDefault =
        health.ejection().isZero() ? HealthSettings.DEFAULTS.ejection() : health.ejection();
    this.probeNanos = firstOrDefault.toNanos();
    this.settings = ejection;
    this.fleet = fleet;
    this.nanoTime = nanoTime;
    this.recent = new RecentCounts(ejection.window(), nanoTime);
    fleet.join(this);
  }

  /** The replica is none of its model's any more. */
  public void leave() {
    fleet.leave(this);
  }

  /** What is to be said of the replica now. */
  public State state() {
    if (draining || drainingByFile) {
      return State.DRAINING;
    }
    if (down || unresponsive) {
      return State.DOWN;
    }
    if (!ejected && !busy) {
      return State.UP;
    }
    long now = nanoTime.getAsLong();
    if (ejected) {
      return now - ejectedUntil < 0 ? State.EJECTED : State.HALF_OPEN;
    }
    return now - busyUntil < 0 ? State.BUSY : State.UP;
  }

  /** Whether the replica may get a request now. */
  public boolean available() {
    State state = state();
    return state == State.UP || (state == State.HALF_OPEN && mayProbe());
  }

  /** A probe that takes long, as a long answer does, holds up the next one for a while only. */
  private boolean mayProbe() {
    Attempt current = probe;
    return current == null || nanoTime.getAsLong() - current.begunNanos >= probeNanos;
  }

  /** Whether the replica gets requests at all, if only one at a time. */
  public boolean takesRequests() {
    State state = state();
    return state == State.UP || state == State.HALF_OPEN;
  }

  /** Share of its part of the requests that the replica is to get, below 1 in slow start. */
  public double ramp() {
    if (!recovering) {
      return 1;
    }
    double passed = nanoTime.getAsLong() - recoveredAt;
    double length = settings.slowStart().toNanos();
    if (passed >= length) {
      return 1;
    }
    return Math.max(SLOW_START_FROM, passed / length);
  }

  /** A request is on its way to the replica. */
  public synchronized Attempt attempt() {
    boolean probes = state() == State.HALF_OPEN && mayProbe();
    Attempt attempt = new Attempt(generation, nanoTime.getAsLong(), probes);
    if (probes) {
      probe = attempt;
    }
    return attempt;
  }

  /** The operator wants no new requests there; those that are open go on. */
  public void drain() {
    draining = true;
  }

  /** Whether the configuration wants no new requests there, whatever else is said. */
  public void drainByFile(boolean on) {
    drainingByFile = on;
  }

  /** The operator lets it have requests again, unless the configuration does not. */
  public void undrain() {
    draining = false;
  }

  /**
   * Ends an ejection or a pause now: one request finds out how the replica is. One that did not
   * answer checks gets requests again. Takes no lock, for a replica that holds its own may be
   * waiting for that of the fleet.
   */
  void tryAgain() {
    unresponsive = false;
    long now = nanoTime.getAsLong();
    ejectedUntil = now;
    busyUntil = now;
  }

  /**
   * The replica joins others that serve already: it gets its full share slowly, as one that came
   * back.
   *
   * @param checked whether a check comes at once. Until one passes it gets no requests, unless too
   *     many are out
   */
  public synchronized void joined(boolean checked) {
    recovered();
    if (checked) {
      fleet.takeOut(this, () -> unresponsive = true);
    }
  }

  /** A check passed. */
  public synchronized void checkPassed() {
    failedChecks = 0;
    gone = false;
    boolean reachedAgain = ejected && unreachable;
    if (down || unresponsive || reachedAgain) {
      down = false;
      unresponsive = false;
      ejected = ejected && !unreachable;
      recovered();
    }
  }

  /** A check was answered with a failure: the replica knows itself that it is ill. */
  public synchronized void checkFailed() {
    failedChecks++;
    down |= failedChecks >= failuresUntilDown;
  }

  /**
   * A check found that nobody listens there.
   *
   * @return true if the replica is now known to be gone, and what it held with it
   */
  public synchronized boolean checkRefused() {
    checkFailed();
    boolean before = gone;
    gone = down;
    return gone && !before;
  }

  /**
   * A check was not answered in time, or not to its end. So it goes with a replica that has too
   * much to do, and where the load is too much for all to take them out would end the service: it
   * goes by the share that may be out.
   */
  public synchronized void checkTimedOut() {
    failedChecks++;
    if (!down && !unresponsive && failedChecks >= failuresUntilDown) {
      fleet.takeOut(this, () -> unresponsive = true);
    }
  }

  private void recovered() {
    failedInARow = 0;
    recent.clear();
    recoveredAt = nanoTime.getAsLong();
    recovering = settings.slowStart().toNanos() > 0;
  }

  private void eject(boolean notReached) {
    long now = nanoTime.getAsLong();
    long longest = Math.max(firstEjectionNanos, settings.maxTime().toNanos());
    if (ejections > 0 && now - ejectedUntil > longest) {
      ejections = 0;
    }
    long nanos = firstEjectionNanos;
    for (int i = 0; i < ejections && nanos < longest; i++) {
      nanos = Math.min(longest, nanos * 2);
    }
    ejections++;
    generation++;
    unreachable = notReached;
    probe = null;
    ejectedUntil = now + nanos;
    ejected = true;
  }

  private boolean outlier() {
    if (settings.failures() > 0 && failedInARow >= settings.failures()) {
      return true;
    }
    long failed = recent.marked();
    long all = recent.plain() + failed;
    return all >= settings.minRequests() && failed >= settings.failureShare() * all;
  }

  /** One request on the replica. Told how it went; what it is told after its end does not count. */
  public final class Attempt {

    private final long begunIn;
    private final long begunNanos;
    private final boolean probes;
    private boolean over;

    private Attempt(long begunIn, long begunNanos, boolean probes) {
      this.begunIn = begunIn;
      this.begunNanos = begunNanos;
      this.probes = probes;
    }

    /** The replica answers, though it may still fail: enough for one that was ejected. */
    public void answering() {
      synchronized (ReplicaHealth.this) {
        if (!over && begunIn == generation && ejected && probes) {
          probe = null;
          ejected = false;
          recovered();
        }
      }
    }

    /** The answer was complete, and no fault of the replica was in it. */
    public void succeeded() {
      synchronized (ReplicaHealth.this) {
        if (ends()) {
          over = false;
          answering();
          over = true;
          failedInARow = 0;
          recent.addPlain();
        }
      }
    }

    /** The replica failed. */
    public void failed() {
      synchronized (ReplicaHealth.this) {
        if (!ends()) {
          return;
        }
        failedInARow++;
        recent.addMarked();
        if (ejected || outlier()) {
          // If too many are out, one that was tried again is tried on, one request at a time.
          fleet.takeOut(ReplicaHealth.this, () -> eject(false));
        }
      }
    }

    /**
     * No connection was made, and nobody refused it: the next request would fail as well, but a
     * replica that has too much to do looks no different, nor does a balancer without names or
     * ports.
     */
    public void notReached() {
      synchronized (ReplicaHealth.this) {
        if (ends()) {
          fleet.takeOut(ReplicaHealth.this, () -> eject(true));
        }
      }
    }

    /** Nobody listens there: the next request would fail as well. */
    public void connectionRefused() {
      synchronized (ReplicaHealth.this) {
        if (ends()) {
          eject(true);
        }
      }
    }

    /**
     * The replica asked to be left alone for so long, which it is within bounds; null if it did not
     * say for how long.
     */
    public void refused(Duration retryAfter) {
      synchronized (ReplicaHealth.this) {
        if (ends() && retryAfter != null) {
          long nanos = Math.min(retryAfter.toNanos(), settings.maxTime().toNanos());
          fleet.takeOut(ReplicaHealth.this, () -> pause(nanos));
        }
      }
    }

    /** The attempt ended without saying anything of the replica. */
    public void withdrawn() {
      synchronized (ReplicaHealth.this) {
        ends();
      }
    }

    /** Ends the attempt; true if how it ended counts. */
    private boolean ends() {
      if (over) {
        return false;
      }
      over = true;
      if (begunIn != generation) {
        return false;
      }
      if (probe == this) {
        probe = null;
      }
      return true;
    }

    private void pause(long nanos) {
      busyUntil = nanoTime.getAsLong() + nanos;
      busy = true;
    }
  }
}
