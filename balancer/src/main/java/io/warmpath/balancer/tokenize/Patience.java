package io.warmpath.balancer.tokenize;

import java.time.Duration;

/**
 * Whether an engine is asked for tokens, and whether a request waits for them. Questions as long as
 * one that took too long are not waited for any more, until one is answered in time; after failures
 * in a row, or more refusals, nobody is asked for a while. Safe for concurrent use.
 */
final class Patience {

  private static final int FAILURES = 3;

  /** A prompt may be wrong, but so many in a row look like an engine that takes none. */
  private static final int REFUSALS = 10;

  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final long limitNanos;

  /** Questions of so many bytes and more are not waited for. */
  private long tooLongBytes = Long.MAX_VALUE;

  private int failures;
  private int refusals;
  private boolean paused;
  private long pausedUntil;

  /**
   * @param limit how long a request waits at most
   */
  Patience(Duration limit) {
    limitNanos = limit.toNanos();
  }

  /** Whether to ask at all now. */
  synchronized boolean asks(long nowNanos) {
    if (paused && nowNanos - pausedUntil >= 0) {
      paused = false;
    }
    return !paused;
  }

  /** Whether a request waits for the answer to a question of so many bytes. */
  synchronized boolean waits(int bytes) {
    return bytes < tooLongBytes;
  }

  /** A question was not answered within the limit; it still may be. */
  synchronized void late(int bytes) {
    tooLongBytes = Math.min(tooLongBytes, bytes);
  }

  /** A question was answered. */
  synchronized void answered(int bytes, long tookNanos) {
    failures = 0;
    refusals = 0;
    if (tookNanos > limitNanos) {
      late(bytes);
    } else if (bytes >= tooLongBytes) {
      // Twice as much may be worth a try.
      tooLongBytes = Math.max(1, 2L * bytes);
    }
  }

  /**
   * A question got no answer, or none that makes sense.
   *
   * @return true if nobody is asked for a while because of that
   */
  synchronized boolean failed(long nowNanos) {
    return !paused && ++failures >= FAILURES && pause(nowNanos);
  }

  /**
   * The engine did not take a prompt.
   *
   * @return true if nobody is asked for a while because of that
   */
  synchronized boolean refused(long nowNanos) {
    return !paused && ++refusals >= REFUSALS && pause(nowNanos);
  }

  private boolean pause(long nowNanos) {
    failures = 0;
    refusals = 0;
    paused = true;
    pausedUntil = nowNanos + PAUSE.toNanos();
    return true;
  }
}
