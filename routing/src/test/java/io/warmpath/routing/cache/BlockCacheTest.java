package io.warmpath.routing.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BlockCacheTest {

  /** The reference model's OrderedDict. */
  private static final class Oracle {
    final LinkedHashMap<Long, Boolean> blocks = new LinkedHashMap<>();
    final List<Long> evicted = new ArrayList<>();
    final int capacity;

    Oracle(int capacity) {
      this.capacity = capacity;
    }

    int leading(long[] ids, int n) {
      int hits = 0;
      while (hits < n && blocks.containsKey(ids[hits])) {
        hits++;
      }
      return hits;
    }

    void touch(long[] ids, int n) {
      for (int i = n - 1; i >= 0; i--) {
        blocks.remove(ids[i]);
        blocks.put(ids[i], true);
      }
      while (capacity > 0 && blocks.size() > capacity) {
        long oldest = blocks.keySet().iterator().next();
        blocks.remove(oldest);
        evicted.add(oldest);
      }
    }
  }

  @Property(tries = 300)
  void behavesAsTheReferenceModel(
      @ForAll long seed,
      @ForAll @IntRange(max = 60) int capacity,
      @ForAll @IntRange(min = 1, max = 300) int universe) {
    Random random = new Random(seed);
    List<Long> evicted = new ArrayList<>();
    BlockCache cache = new BlockCache(capacity, evicted::add);
    Oracle oracle = new Oracle(capacity);
    for (int step = 0; step < 100; step++) {
      long[] ids = random.longs(random.nextInt(40), 0, universe).toArray();
      int n = ids.length == 0 ? 0 : random.nextInt(ids.length + 1);
      assertEquals(oracle.leading(ids, n), cache.leading(ids, n));
      if (random.nextInt(4) == 0 && n > 0) {
        assertEquals(oracle.blocks.remove(ids[0]) != null, cache.remove(ids[0]));
      } else {
        oracle.touch(ids, n);
        cache.touch(ids, n);
      }
      assertEquals(oracle.blocks.size(), cache.size());
      assertEquals(oracle.evicted, evicted);
    }
    for (long id = 0; id < universe; id++) {
      assertEquals(oracle.blocks.containsKey(id), cache.contains(id));
    }
  }

  @Property(tries = 200)
  void lookingAheadFindsWhatWalkingFinds(
      @ForAll long seed, @ForAll @IntRange(max = 200) int capacity) {
    Random random = new Random(seed);
    BlockCache cache = new BlockCache(capacity);
    for (int step = 0; step < 60; step++) {
      long[] chained = chain(random);
      assertEquals(
          cache.leading(chained, chained.length), cache.leadingChained(chained, chained.length));
      cache.touch(chained, chained.length);
    }
  }

  /** Ids of a prompt in a small tree: each id determines all before it. */
  private static long[] chain(Random random) {
    long[] ids = new long[random.nextInt(90)];
    long id = 1;
    for (int i = 0; i < ids.length; i++) {
      id = 31 * id + (random.nextInt(30) == 0 ? random.nextInt(3) : 0);
      ids[i] = id;
    }
    return ids;
  }

  @Test
  void tailsLeaveBeforeHeads() {
    BlockCache cache = new BlockCache(3);
    cache.touch(new long[] {1, 2, 3}, 3);
    cache.touch(new long[] {9}, 1);
    assertTrue(cache.contains(1));
    assertTrue(cache.contains(2));
    assertFalse(cache.contains(3));
  }

  @Test
  void aPromptLongerThanTheCacheKeepsItsHead() {
    BlockCache cache = new BlockCache(2);
    cache.touch(new long[] {1, 2, 3, 4}, 4);
    assertEquals(2, cache.leading(new long[] {1, 2, 3, 4}, 4));
    assertEquals(2, cache.size());
  }

  @Test
  void zeroCapacityIsUnbounded() {
    BlockCache cache = new BlockCache(0);
    for (long id = 0; id < 100_000; id++) {
      cache.touch(id);
    }
    assertEquals(100_000, cache.size());
    cache.clear();
    assertEquals(0, cache.size());
    assertFalse(cache.contains(5));
  }

  @Test
  void negativeCapacityIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new BlockCache(-1));
  }
}
