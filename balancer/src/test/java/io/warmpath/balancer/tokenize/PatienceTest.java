package io.warmpath.balancer.tokenize;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {

  private static final long LIMIT = Duration.ofMillis(50).toNanos();
  private static final long LATER = Duration.ofSeconds(10).toNanos();

  private final Patience patience = new Patience(Duration.ofMillis(50));

  @Test
  void waitsForAllAtFirst() {
    assertTrue(patience.waits(16 << 20));
  }

  @Test
  void doesNotWaitForWhatIsAsLongAsWhatTookTooLong() {
    patience.late(1000);
    assertTrue(patience.waits(999));
    assertFalse(patience.waits(1000));
    patience.answered(500, LIMIT + 1);
    assertFalse(patience.waits(500));
    assertTrue(patience.waits(499));
  }

  @Test
  void waitsAgainOnceAnAnswerCameInTime() {
    patience.late(1000);
    patience.answered(999, LIMIT);
    assertFalse(patience.waits(1000));
    patience.answered(1000, LIMIT);
    assertTrue(patience.waits(1999));
    assertFalse(patience.waits(2000));
    patience.answered(5000, LIMIT);
    assertTrue(patience.waits(9999));
  }

  @Test
  void asksNobodyForAWhileAfterFailuresInARow() {
    assertFalse(patience.failed(0));
    assertFalse(patience.failed(0));
    patience.answered(10, 1);
    assertFalse(patience.failed(0));
    assertFalse(patience.failed(0));
    assertTrue(patience.asks(0));
    assertTrue(patience.failed(0));
    assertFalse(patience.failed(0), "it is said once");
    assertFalse(patience.asks(LATER - 1));
    assertTrue(patience.asks(LATER));
    assertFalse(patience.failed(LATER));
    assertTrue(patience.asks(LATER));
  }

  @Test
  void asksNobodyForAWhileWhenNoPromptIsTaken() {
    for (int i = 0; i < 9; i++) {
      assertFalse(patience.refused(0));
    }
    patience.answered(10, 1);
    for (int i = 0; i < 9; i++) {
      assertFalse(patience.refused(0));
    }
    assertTrue(patience.asks(0));
    assertTrue(patience.refused(0));
    assertFalse(patience.asks(0));
    assertTrue(patience.asks(LATER));
  }
}
