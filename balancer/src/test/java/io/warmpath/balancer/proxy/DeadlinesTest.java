package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

  private static final Duration IDLE = Duration.ofMinutes(1);

  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final Deadlines deadlines =
      new Deadlines(
          new Alarm(loop),
          new Timeouts(Duration.ofMinutes(10), IDLE, Duration.ofHours(1)),
          System.nanoTime(),
          timeout -> {});

  @AfterEach
  void stop() {
    deadlines.cancel();
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  @Test
  void doesNotSpinWhereAStreamBeganLongBeforeItsFirstToken() {
    deadlines.sent(true);
    deadlines.read();
    assertTrue(deadlines.delayNanos(afterNanos(2 * IDLE.toNanos())) > 0);
  }

  @Test
  void isDueOnceAStreamIsIdleAfterItsFirstToken() {
    deadlines.sent(true);
    deadlines.read();
    deadlines.firstToken();
    assertTrue(deadlines.delayNanos(afterNanos(2 * IDLE.toNanos())) <= 0);
  }

  private static long afterNanos(long nanos) {
    return System.nanoTime() + nanos;
  }
}
