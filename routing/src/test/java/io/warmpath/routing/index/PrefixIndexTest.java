package io.warmpath.routing.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrefixIndexTest {

  private static final long[] PROMPT = {11, 12, 13, 14};

  private final PrefixIndex index = new PrefixIndex(new IndexBounds(100, 100, 6));
  private long seq;

  @BeforeEach
  void twoReplicas() {
    index.addReplica("a");
    index.addReplica("b");
  }

  private boolean apply(String replica, long incarnation, CacheEvent... events) {
    return index.apply(
        new CacheEventBatch(
            1,
            replica,
            "m",
            CacheEventBatch.Source.ENGINE,
            incarnation,
            0,
            seq++,
            null,
            List.of(events)));
  }

  private static CacheEvent stored(long... hashes) {
    return new CacheEvent.Stored(HashList.of(hashes), 16, CacheEvent.GPU, 0);
  }

  private static CacheEvent removed(long... hashes) {
    return new CacheEvent.Removed(HashList.of(hashes), CacheEvent.GPU, 0);
  }

  private int cached(String replica) {
    return index.cachedBlocks(PROMPT, PROMPT.length, replica);
  }

  @Test
  void ownHistoryStandsInWhereNoCacheEventsCome() {
    index.routed(PROMPT, 3, "a");
    assertEquals(3, cached("a"));
    assertEquals(0, cached("b"));
    assertEquals(3, index.storedBlocks("a"));
    assertFalse(index.isReporting("a"));
  }

  @Test
  void cacheEventsReplaceOwnHistory() {
    index.routed(PROMPT, 4, "a");
    apply("a", 1, stored(11, 12));
    assertTrue(index.isReporting("a"));
    assertEquals(2, cached("a"));
    index.routed(PROMPT, 4, "a");
    assertEquals(2, cached("a"));
    apply("a", 1, removed(12));
    assertEquals(1, cached("a"));
    apply("a", 1, new CacheEvent.Cleared());
    assertEquals(0, cached("a"));
  }

  @Test
  void prefillEventsAloneSayNothingOfBlocks() {
    index.routed(PROMPT, 4, "a");
    apply("a", 1, new CacheEvent.Prefill("r", null, 64, 0, 1000, null));
    assertFalse(index.isReporting("a"));
    assertEquals(4, cached("a"));
  }

  @Test
  void aNewIncarnationStartsEmptyAndTheOldOneIsNotHeard() {
    apply("a", 1, stored(11, 12));
    apply("a", 2, stored(11));
    assertEquals(1, cached("a"));
    assertFalse(apply("a", 1, stored(11, 12, 13)));
    assertEquals(1, cached("a"));
  }

  @Test
  void aRestartWithoutBlocksClearsOwnHistoryToo() {
    apply("a", 1);
    index.routed(PROMPT, 4, "a");
    apply("a", 2);
    assertEquals(0, cached("a"));
  }

  @Test
  void onlyBlocksInGpuMemoryCount() {
    apply("a", 1, new CacheEvent.Stored(HashList.of(11), 16, "cpu", 0));
    assertEquals(0, cached("a"));
  }

  @Test
  void eventsOfUnknownReplicasAreIgnored() {
    assertFalse(apply("z", 1, stored(11)));
    assertEquals(0, cached("z"));
    assertEquals(0, index.storedBlocks("z"));
    assertEquals(0, index.seenBlocks(PROMPT, 4));
  }

  @Test
  void whatAnyReplicaHeldIsRememberedAsFarAsTheBoundAllows() {
    index.routed(PROMPT, 2, "a");
    apply("b", 1, stored(11, 12, 13));
    apply("b", 1, new CacheEvent.Cleared());
    assertEquals(3, index.seenBlocks(PROMPT, 4));
    index.routed(new long[] {1, 2, 3, 4, 5, 6}, 6, "a");
    assertEquals(0, index.seenBlocks(PROMPT, 4));
  }

  @Test
  void replicasComeAndGo() {
    index.routed(PROMPT, 4, "a");
    index.addReplica("a");
    assertEquals(4, cached("a"));
    index.forget("a");
    assertEquals(0, cached("a"));
    index.removeReplica("b");
    assertEquals(Set.of("a"), index.replicas());
  }

  @Test
  void oneQuestionAnswersForMoreReplicasThanATableHas() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      names.add("replica-" + i);
      index.addReplica("replica-" + i);
      index.routed(PROMPT, i % 5, "replica-" + i);
    }
    names.add("unknown");
    int[] cached = index.cachedBlocks(PROMPT, 4, names);
    for (int i = 0; i < 150; i++) {
      assertEquals(i % 5, cached[i], names.get(i));
    }
    assertEquals(0, cached[150]);
  }

  @Test
  void aReplicaThatTakesAFreePlaceFindsItEmpty() {
    index.routed(PROMPT, 4, "b");
    index.removeReplica("b");
    index.addReplica("c");
    assertEquals(0, cached("c"));
    assertEquals(0, index.storedBlocks("c"));
  }

  @Test
  void historyForgetsTheLeastRecentlyUsedTailsFirst() {
    PrefixIndex small = new PrefixIndex(new IndexBounds(5, 100, 6));
    small.addReplica("a");
    small.routed(PROMPT, 4, "a");
    small.routed(new long[] {1, 2, 3}, 3, "a");
    assertEquals(2, small.cachedBlocks(PROMPT, 4, "a"));
    assertEquals(5, small.storedBlocks("a"));
  }

  @Test
  void moreThanTheBoundIsNotTakenFromAnEngine() {
    PrefixIndex small = new PrefixIndex(new IndexBounds(5, 3, 6));
    small.addReplica("a");
    small.apply(
        new CacheEventBatch(
            1, "a", "m", CacheEventBatch.Source.ENGINE, 1, 0, 0, null, List.of(stored(PROMPT))));
    assertEquals(3, small.cachedBlocks(PROMPT, 4, "a"));
    assertEquals(3, small.storedBlocks("a"));
  }

  @Test
  void boundsAreNamedWhenTheyAreWrong() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new IndexBounds(1, 1, 0));
    assertTrue(refused.getMessage().startsWith("seen_blocks"));
  }
}
