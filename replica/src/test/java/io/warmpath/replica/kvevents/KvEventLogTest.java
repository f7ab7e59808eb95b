package io.warmpath.replica.kvevents;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KvEventLogTest {

  private static final int BLOCK_TOKENS = 16;

  private final KvEventLog log = new KvEventLog(BLOCK_TOKENS, () -> 5);

  @Test
  void blocksOfASequenceComeWithTheirTokensAndTheBlockBefore() {
    Sequence sequence = sequence(4);
    log.onFilled(sequence, 0, 2);
    log.onFilled(sequence, 2, 3);
    log.onEvicted(102);
    log.onCleared();
    KvEventLog.Drained drained = log.drain();
    assertEquals(5, drained.lastEventMs());
    assertFalse(drained.lostAfter());
    KvEvent.BlockStored first = stored(drained, 0);
    assertArrayEquals(new long[] {100, 101}, first.hashes());
    assertNull(first.parent());
    assertArrayEquals(IntStream.range(0, 32).toArray(), first.tokenIds());
    KvEvent.BlockStored second = stored(drained, 1);
    assertArrayEquals(new long[] {102}, second.hashes());
    assertEquals(101, second.parent());
    assertArrayEquals(IntStream.range(32, 48).toArray(), second.tokenIds());
    assertEquals(new KvEvent.BlockRemoved(102), drained.events().get(2));
    assertEquals(new KvEvent.AllBlocksCleared(), drained.events().get(3));
    assertTrue(log.drain().events().isEmpty());
  }

  @Test
  void longRunIsToldInPieces() {
    int blocks = 2 * KvEventLog.EVENT_TOKENS / BLOCK_TOKENS + 1;
    log.onFilled(sequence(blocks), 0, blocks);
    KvEventLog.Drained drained = log.drain();
    assertEquals(3, drained.events().size());
    assertEquals(KvEventLog.EVENT_TOKENS, drained.events().get(1).tokens());
    assertEquals(BLOCK_TOKENS, drained.events().get(2).tokens());
    assertEquals(100 + blocks - 2, stored(drained, 2).parent());
  }

  @Test
  void restartForgetsWhatWasNotTold() {
    log.onFilled(sequence(1), 0, 1);
    log.onCleared();
    log.restart();
    log.onEvicted(1);
    KvEventLog.Drained drained = log.drain();
    assertTrue(drained.restarted());
    assertEquals(1, drained.events().size());
    assertFalse(log.drain().restarted());
  }

  @Test
  void holdsABoundedNumberAndSaysWhatIsLost() {
    Sequence sequence = sequence(KvEventLog.EVENT_TOKENS / BLOCK_TOKENS);
    int fits = KvEventLog.MAX_TOKENS / KvEventLog.EVENT_TOKENS;
    for (int i = 0; i < fits + 5; i++) {
      log.onFilled(sequence, 0, sequence.promptTokens() / BLOCK_TOKENS);
    }
    log.onEvicted(1);
    KvEventLog.Drained drained = log.drain();
    assertEquals(fits, drained.events().size());
    assertTrue(drained.lostAfter());
    for (int i = 0; i <= KvEventLog.MAX_EVENTS; i++) {
      log.onEvicted(i);
    }
    drained = log.drain();
    assertEquals(KvEventLog.MAX_EVENTS, drained.events().size());
    assertTrue(drained.lostAfter());
    assertFalse(log.drain().lostAfter());
  }

  private static KvEvent.BlockStored stored(KvEventLog.Drained drained, int index) {
    return assertInstanceOf(KvEvent.BlockStored.class, drained.events().get(index));
  }

  /** Hashes from 100 on, tokens from 0 on. */
  private static Sequence sequence(int blocks) {
    int tokens = blocks * BLOCK_TOKENS;
    return new Sequence(
        "any",
        LongStream.range(100, 100 + blocks).toArray(),
        tokens,
        1,
        IntStream.range(0, tokens).toArray(),
        SequenceListener.NONE);
  }
}
