package io.warmpath.replica.kvevents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class ReplayBufferTest {

  @Test
  void holdsTheLastSteps() {
    ReplayBuffer buffer = new ReplayBuffer(3, 1_000);
    assertNull(buffer.atLeast(0));
    assertEquals(-1, buffer.lastSeq());
    for (long seq = 0; seq < 5; seq++) {
      buffer.add(batch(seq, 10));
    }
    assertEquals(3, buffer.size());
    assertEquals(2, buffer.atLeast(0).seq());
    assertEquals(3, buffer.atLeast(3).seq());
    assertEquals(4, buffer.lastSeq());
    assertNull(buffer.atLeast(5));
  }

  @Test
  void numberThatIsMissingStandsForTheNextOne() {
    ReplayBuffer buffer = new ReplayBuffer(10, 1_000);
    buffer.add(batch(0, 1));
    buffer.add(batch(4, 1));
    assertEquals(4, buffer.atLeast(1).seq());
  }

  @Test
  void holdsNoMoreBytesThanItMay() {
    ReplayBuffer buffer = new ReplayBuffer(10, 100);
    buffer.add(batch(0, 60));
    buffer.add(batch(1, 40));
    assertEquals(2, buffer.size());
    buffer.add(batch(2, 41));
    assertEquals(1, buffer.atLeast(0).seq());
    buffer.add(batch(3, 500));
    assertEquals(1, buffer.size());
    assertEquals(3, buffer.atLeast(0).seq());
  }

  @Test
  void isEmptyAfterClear() {
    ReplayBuffer buffer = new ReplayBuffer(2, 100);
    buffer.add(batch(7, 60));
    buffer.clear();
    assertNull(buffer.atLeast(0));
    buffer.add(batch(0, 100));
    assertEquals(0, buffer.lastSeq());
  }

  private static KvEventBatch batch(long seq, int bytes) {
    return new KvEventBatch(seq, new byte[bytes]);
  }
}
