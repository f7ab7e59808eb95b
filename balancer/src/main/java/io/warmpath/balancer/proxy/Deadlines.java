package io.warmpath.balancer.proxy;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The timeouts of one request, behind one scheduled task: what happens in between only notes times,
 * and the task looks at them when it is due.
 */
final class Deadlines {

  /** The timeout of the whole request, which is not the replica's fault once it answers. */
  static final String TOTAL = "total_timeout";

  private final EventLoop loop;
  private final long firstTokenNanos;
  private final long idleNanos;
  private final long totalDeadline;
  private final Consumer<String> expired;
  private ScheduledFuture<?> task;

  /** When the awaited first token is due; only while it is awaited. */
  private long firstTokenDeadline;

  private boolean awaitingToken;
  private boolean reading;
  private long lastReadNanos;

  /**
   * @param expired told which timeout it was, in one word
   */
  Deadlines(EventLoop loop, Timeouts timeouts, long receivedNanos, Consumer<String> expired) {
    this.loop = loop;
    this.firstTokenNanos = timeouts.firstToken().toNanos();
    this.idleNanos = timeouts.idle().toNanos();
    this.totalDeadline = receivedNanos + timeouts.total().toNanos();
    this.expired = expired;
  }

  /** The request is on its way: its total time counts while it waits for a connection too. */
  void begin() {
    if (task == null) {
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
    if (task != null) {
      task.cancel(false);
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
    task = loop.schedule(this::check, Math.max(delay, 0), TimeUnit.NANOSECONDS);
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
