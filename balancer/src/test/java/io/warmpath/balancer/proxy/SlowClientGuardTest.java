package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Answers that are complete, and that their client has not taken yet. */
class SlowClientGuardTest {

  private static final Duration LONG = Duration.ofDays(1);
  private static final Duration NONE = Duration.ofNanos(1);

  @Test
  void theLastAnswerHasTheTimeOfABodyToGoOut() {
    SlowClientGuard guard = guard(LONG, NONE);
    EmbeddedChannel connection = new EmbeddedChannel(guard);
    ChannelPromise written = connection.newPromise();
    guard.closeAfter(written, false);
    assertTrue(staysOpen(connection));
    written.setSuccess();
    assertFalse(connection.isOpen());
  }

  @Test
  void itIsGivenUpOnAfterThatTime() {
    SlowClientGuard guard = guard(NONE, LONG);
    EmbeddedChannel connection = new EmbeddedChannel(guard);
    guard.closeAfter(connection.newPromise(), false);
    assertFalse(staysOpen(connection));
  }

  @Test
  void theTimeForTheNextRequestBeginsWhenAnAnswerHasGoneOut() {
    SlowClientGuard guard = guard(LONG, NONE);
    EmbeddedChannel connection = new EmbeddedChannel(guard);
    ChannelPromise written = connection.newPromise();
    guard.answered(written);
    assertTrue(staysOpen(connection));
    written.setSuccess();
    assertFalse(staysOpen(connection));
  }

  @Test
  void anAnswerThatIsNotTakenInTimeEndsTheConnection() {
    SlowClientGuard guard = guard(NONE, LONG);
    EmbeddedChannel connection = new EmbeddedChannel(guard);
    guard.answered(connection.newPromise());
    assertFalse(staysOpen(connection));
  }

  @Test
  void aRequestThatComesWhileTheAnswerGoesOutIsServedOn() {
    SlowClientGuard guard = guard(LONG, NONE);
    EmbeddedChannel connection = new EmbeddedChannel(guard);
    ChannelPromise written = connection.newPromise();
    guard.answered(written);
    connection.writeInbound("the next request");
    written.setSuccess();
    assertTrue(staysOpen(connection));
  }

  private static SlowClientGuard guard(Duration body, Duration keepAlive) {
    return new SlowClientGuard(new ReceiveTimeouts(LONG, body, keepAlive), () -> {});
  }

  /** Whether the connection is open after the guard has looked a few times. */
  private static boolean staysOpen(EmbeddedChannel connection) {
    for (int i = 0; i < 10; i++) {
      connection.runScheduledPendingTasks();
    }
    return connection.isOpen();
  }
}
