package io.warmpath.balancer.proxy;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes that bodies of requests take, to bound them. Safe for concurrent use. */
final class BodyMemory {

  private final AtomicLong held = new AtomicLong();

  /** Counts bytes in unless there are then more than that; what is taken must be given back. */
  boolean take(long bytes, long mostBytes) {
    if (held.addAndGet(bytes) > mostBytes) {
      held.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  /** Bytes held now. */
  long held() {
    return held.get();
  }
}
