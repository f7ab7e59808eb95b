package io.warmpath.balancer.proxy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests that are open, to bound them. Safe for concurrent use. */
final class Admission {

  /** What becomes of a request. */
  enum Verdict {
    ADMITTED,
    /** The balancer has as many as it may. */
    FULL,
    /** The holder of the key has. */
    HOLDER_FULL
  }

  private final AtomicInteger open = new AtomicInteger();
  private final Map<String, Integer> byHolder = new ConcurrentHashMap<>();

  /**
   * Counts a request in unless there are too many. One that is admitted must be {@link #over}.
   *
   * @param holder whose key it came with, or null
   */
  Verdict admit(String holder, Limits limits) {
    if (open.incrementAndGet() > limits.maxRequests()) {
      open.decrementAndGet();
      return Verdict.FULL;
    }
    int most = limits.maxRequestsPerKey();
    if (holder != null && byHolder.merge(holder, 1, Integer::sum) > most && most > 0) {
      over(holder);
      return Verdict.HOLDER_FULL;
    }
    return Verdict.ADMITTED;
  }

  /** A request that was admitted is over. */
  void over(String holder) {
    open.decrementAndGet();
    if (holder != null) {
      byHolder.computeIfPresent(holder, (name, count) -> count == 1 ? null : count - 1);
    }
  }

  int open() {
    return open.get();
  }
}
