package io.warmpath.balancer.proxy;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Rings for the request that a connection serves. Its task outlives requests and now and then runs
 * in vain: that costs less than to schedule and cancel one for each. Used by one event loop.
 */
final class Alarm {

  private final EventLoop loop;
  private Runnable set;
  private long setNanos;
  private ScheduledFuture<?> task;
  private long taskNanos;

  Alarm(EventLoop loop) {
    this.loop = loop;
  }

  /** Runs something at a time of {@link System#nanoTime}, and nothing that was set before. */
  void set(long nanos, Runnable ring) {
    set = ring;
    setNanos = nanos;
    if (task != null && taskNanos - nanos <= 0) {
      return;
    }
    if (task != null) {
      task.cancel(false);
    }
    schedule();
  }

  /** Runs nothing. */
  void off() {
    set = null;
  }

  /** The same for good: the connection is gone. */
  void close() {
    off();
    if (task != null) {
      task.cancel(false);
      task = null;
    }
  }

  private void schedule() {
    taskNanos = setNanos;
    long delay = Math.max(0, setNanos - System.nanoTime());
    task = loop.schedule(this::due, delay, TimeUnit.NANOSECONDS);
  }

  private void due() {
    task = null;
    Runnable ring = set;
    if (ring == null) {
      return;
    }
    if (setNanos - System.nanoTime() > 0) {
      schedule();
    } else {
      set = null;
      ring.run();
    }
  }
}
