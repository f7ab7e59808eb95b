package io.warmpath.balancer.upstream;

import java.util.concurrent.atomic.LongAdder;

/** Connections to one replica, those of all event loops. Safe for concurrent use. */
public final class ConnectionCounts {

  private final LongAdder open = new LongAdder();
  private final LongAdder busy = new LongAdder();
  private final LongAdder made = new LongAdder();
  private final LongAdder failed = new LongAdder();

  void opened() {
    open.increment();
  }

  void closed() {
    open.decrement();
  }

  void leased() {
    busy.increment();
  }

  void returned() {
    busy.decrement();
  }

  void made() {
    made.increment();
  }

  void failed() {
    failed.increment();
  }

  /** Connections that carry a request. */
  public long busy() {
    return Math.max(0, busy.sum());
  }

  /** Connections that are open and carry none. */
  public long idle() {
    return Math.max(0, open.sum() - busy());
  }

  /** Connections made so far, those that are closed included. */
  public long total() {
    return made.sum();
  }

  /** Connections that could not be made. */
  public long failures() {
    return failed.sum();
  }
}
