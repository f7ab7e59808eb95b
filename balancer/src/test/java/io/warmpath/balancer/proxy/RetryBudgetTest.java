package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
  private final RetryBudget budget =
      new RetryBudget(new RetryBudget.Settings(0.2, 3, Duration.ofNanos(100)), now::get);

  @Test
  void allowsAFewHoweverFewRequestsThereAre() {
    assertEquals(3, taken());
  }

  @Test
  void allowsAShareOfTheRequests() {
    IntStream.range(0, 50).forEach(i -> budget.request());
    assertEquals(10, taken());
  }

  @Test
  void countsWhatIsRecentOnly() {
    IntStream.range(0, 50).forEach(i -> budget.request());
    assertEquals(10, taken());
    now.addAndGet(50);
    assertEquals(0, taken());
    now.addAndGet(60);
    assertEquals(3, taken());
  }

  @Test
  void allowsNoneWhereNoneAreWanted() {
    RetryBudget none =
        new RetryBudget(new RetryBudget.Settings(0, 0, Duration.ofNanos(100)), now::get);
    none.request();
    assertFalse(none.take());
  }

  private int taken() {
    int taken = 0;
    while (budget.take()) {
      taken++;
    }
    return taken;
  }
}
