package io.warmpath.balancer.proxy;

import io.warmpath.balancer.upstream.RecentCounts;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds the retries of a model by a share of its recent requests: while all replicas fail, retries
 * would only multiply the load that they fail under. Safe for concurrent use.
 */
public final class RetryBudget {

  /**
   * How much is allowed.
   *
   * @param share retries for each request of the window, 0 or more
   * @param minimum retries in the window that are allowed however few requests there are
   * @param window time that counts as recent
   */
  public record Settings(double share, int minimum, Duration window) {

    public static final Settings DEFAULTS = new Settings(0.2, 10, Duration.ofSeconds(10));
  }

  private final Settings settings;
  private final RecentCounts recent;

  /**
   * @param nanoTime monotonic clock
   */
  public RetryBudget(Settings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.recent = new RecentCounts(settings.window(), nanoTime);
  }

  /** A request came. */
  synchronized void request() {
    recent.addPlain();
  }

  /** Takes one retry from the budget; false if none is left. */
  synchronized boolean take() {
    if (recent.marked() >= Math.max(settings.minimum(), settings.share() * recent.plain())) {
      return false;
    }
    recent.addMarked();
    return true;
  }
}
