package io.warmpath.balancer.proxy;

import java.util.function.Consumer;

/**
 * The timeouts of one request, behind one alarm: what happens in between only notes times, which
 * are looked at when it rings.
 */
final class Deadlines {

  /** The timeout of the whole request, which is not the replica's fault once it answers. */
  static final String TOTAL = "total_timeout";

  private final Alarm alarm;
  private final long firstTokenNanos;
  private final long idleNanos;
  private final long totalDeadline;
  private final Consumer<String> expired;
  private boolean running;

  /** When the awaited first token is due; only while it is awaited. */
  private long firstTokenDeadline;

  private boolean awaitingToken;
  private boolean reading;
  private long lastReadNanos;

  /**
   * @param expired told which timeout it was, in one word
   */
  Deadlines(Alarm alarm, Timeouts timeouts, long receivedNanos, Consumer<String> expired) {
    this.alarm = alarm;
    this.firstTokenNanos = timeouts.firstToken().toNanos();
    this.idleNanos = timeouts.idle().toNanos();
    this.totalDeadline = receivedNanos + timeouts.total().toNanos();
    this.expired = expired;
  }

  /** The request is on its way: its total time counts while it waits for a connection too. */
  void begin() {
    if (!running) {
      running = true;
      schedule(System.nanoTime());
    }
  }

  /** The request was sent; a stream's first token is awaited from now on. */
  void sent(boolean stream) {
    awaitingToken = stream;
    // An attempt before this one may have begun to answer.
    reading = false;
    firstTokenDeadline = System.nanoTime() + firstTokenNanos;
    begin();
  }

  void firstToken() {
    awaitingToken = false;
  }

  /** Bytes of the answer came. */
  void read() {
    reading = true;
    lastReadNanos = System.nanoTime();
  }

  /** Nothing is read any more because the client takes nothing; that is not the replica's fault. */
  void paused() {
    reading = false;
  }

  void cancel() {
    awaitingToken = false;
    if (running) {
      running = false;
      alarm.off();
    }
  }

  private void schedule(long now) {
    long delay = Math.min(Math.min(idleNanos, firstTokenNanos), totalDeadline - now);
    if (awaitingToken) {
      delay = Math.min(delay, firstTokenDeadline - now);
    }
    if (reading) {
      delay = Math.min(delay, lastReadNanos + idleNanos - now);
    }
    alarm.set(now + delay, this::check);
  }

  private void check() {
    long now = System.nanoTime();
    if (totalDeadline - now <= 0) {
      expired.accept(TOTAL);
    } else if (awaitingToken && firstTokenDeadline - now <= 0) {
      expired.accept("first_token_timeout");
    } else if (reading && !awaitingToken && lastReadNanos + idleNanos - now <= 0) {
      expired.accept("idle_timeout");
    } else {
      schedule(now);
    }
  }
}
