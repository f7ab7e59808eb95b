package io.warmpath.balancer.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.upstream.ReplicaHealth.State;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReplicaHealthTest {

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
  private final ReplicaHealth health =
      new ReplicaHealth(
          new HealthSettings(
              Duration.ofSeconds(1), Duration.ofSeconds(1), 2, Duration.ofNanos(100)),
          now::get);

  @Test
  void startsUp() {
    assertEquals(State.UP, health.state());
    assertTrue(health.available());
  }

  @Test
  void isEjectedForAWhileAfterAFailedConnection() {
    health.attempt().notReached();
    assertEquals(State.EJECTED, health.state());
    assertFalse(health.available());
    now.addAndGet(99);
    assertFalse(health.available());
    now.addAndGet(1);
    assertTrue(health.available());
    assertEquals(State.HALF_OPEN, health.state());
  }

  @Test
  void comesBackEarlyWhenACheckPasses() {
    health.attempt().notReached();
    health.checkPassed();
    assertTrue(health.available());
  }

  @Test
  void isDownAfterEnoughFailedChecksUntilOnePasses() {
    assertFalse(health.checkFailed());
    assertTrue(health.available());
    assertTrue(health.checkFailed());
    assertFalse(health.checkFailed());
    assertEquals(State.DOWN, health.state());
    assertFalse(health.available());
    health.checkPassed();
    assertTrue(health.available());
    assertFalse(health.checkFailed());
    assertTrue(health.available());
  }
}
