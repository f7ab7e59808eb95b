package io.warmpath.replica.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random lives of sequences, in the cache and in its slow twin. */
class KvCacheOracleTest {

  private static final int BLOCK_TOKENS = 4;
  private static final int STEPS = 120;

  @Property(tries = 300)
  void cacheDoesWhatItsSlowTwinDoes(@ForAll long seed) {
    Random random = new Random(seed);
    int totalBlocks = 4 + random.nextInt(30);
    List<String> log = new ArrayList<>();
    Map<Long, Integer> copies = new HashMap<>();
    KvCache cache =
        new KvCache(totalBlocks, BLOCK_TOKENS, CacheListener.both(logging(log), counting(copies)));
    SlowCache slow = new SlowCache(totalBlocks, BLOCK_TOKENS);
    List<Sequence> running = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      switch (running.isEmpty() ? 0 : random.nextInt(8)) {
        case 0, 1, 2 -> admit(cache, slow, running, random);
        case 3, 4, 5 -> grow(cache, slow, running.get(random.nextInt(running.size())), random);
        case 6 -> {
          Sequence ended = running.remove(random.nextInt(running.size()));
          cache.release(ended);
          slow.release(ended);
        }
        default -> {
          if (random.nextInt(10) == 0) {
            cache.clear();
            slow.clear();
          }
        }
      }
      assertEquals(slow.log, log);
      assertEquals(slow.freeOrder(), Arrays.stream(cache.freeOrder()).boxed().toList());
      assertEquals(slow.freeOrder().size(), cache.freeBlocks());
      assertEquals(heldBlocks(running, cache), cache.usedBlocks());
      // Whoever counts copies knows the same blocks as who is told of the first and the last one.
      assertEquals(cache.cachedBlocks(), copies.size());
      copies.keySet().forEach(hash -> assertTrue(cache.contains(hash)));
    }
  }

  private static void admit(KvCache cache, SlowCache slow, List<Sequence> running, Random random) {
    int prompt = 1 + random.nextInt(24);
    Sequence sequence = new Sequence("any", hashes(random), prompt, 16, SequenceListener.NONE);
    int limit = (prompt - 1) / BLOCK_TOKENS;
    int cached = cache.cachedPrefix(sequence.blockHashes, limit);
    assertEquals(slow.cachedPrefix(keys(sequence), limit), cached);
    int tokens = 1 + random.nextInt(prompt - cached * BLOCK_TOKENS);
    boolean admitted = cache.admit(sequence, cached, tokens);
    assertEquals(slow.admit(sequence, keys(sequence), cached, tokens), admitted);
    if (admitted) {
      running.add(sequence);
      compute(cache, slow, sequence, cached * BLOCK_TOKENS + tokens);
    }
  }

  private static void grow(KvCache cache, SlowCache slow, Sequence sequence, Random random) {
    int room = 10 * BLOCK_TOKENS - sequence.computedTokens;
    if (room == 0) {
      return;
    }
    int tokens = 1 + random.nextInt(Math.min(room, 9));
    boolean grown = cache.grow(sequence, tokens);
    assertEquals(slow.grow(sequence, sequence.computedTokens + tokens), grown);
    if (grown) {
      compute(cache, slow, sequence, sequence.computedTokens + tokens);
    }
  }

  private static void compute(KvCache cache, SlowCache slow, Sequence sequence, int tokens) {
    cache.register(sequence, tokens);
    slow.register(sequence, keys(sequence), tokens);
    sequence.computedTokens = tokens;
  }

  private static List<Long> keys(Sequence sequence) {
    return Arrays.stream(sequence.blockHashes).boxed().toList();
  }

  /** Three families that branch after a random block. */
  private static long[] hashes(Random random) {
    long[] hashes = new long[10];
    int family = random.nextInt(3);
    int branch = random.nextInt(3);
    int shared = random.nextInt(10);
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = 1_000 * family + (i < shared ? 0 : 100 * branch) + i;
    }
    return hashes;
  }

  private static long heldBlocks(List<Sequence> running, KvCache cache) {
    for (Sequence sequence : running) {
      for (int i = 0; i < sequence.blockCount; i++) {
        int block = sequence.blocks[i];
        assertEquals(holders(running, block), cache.references(block));
      }
    }
    return running.stream()
        .flatMapToInt(s -> Arrays.stream(s.blocks, 0, s.blockCount))
        .distinct()
        .count();
  }

  private static long holders(List<Sequence> running, int block) {
    return running.stream()
        .flatMapToInt(s -> Arrays.stream(s.blocks, 0, s.blockCount))
        .filter(held -> held == block)
        .count();
  }

  private static CacheListener counting(Map<Long, Integer> copies) {
    return new CacheListener() {
      @Override
      public void onFilled(Sequence sequence, int fromBlock, int toBlock) {
        for (int i = fromBlock; i < toBlock; i++) {
          copies.merge(sequence.blockHash(i), 1, Integer::sum);
        }
      }

      @Override
      public void onEvicted(long hash) {
        copies.merge(hash, -1, (count, less) -> count == 1 ? null : count + less);
      }

      @Override
      public void onCleared() {
        copies.clear();
      }
    };
  }

  private static CacheListener logging(List<String> log) {
    return new CacheListener() {
      @Override
      public void onStored(long hash) {
        log.add("+" + hash);
      }

      @Override
      public void onRemoved(long hash) {
        log.add("-" + hash);
      }

      @Override
      public void onCleared() {
        log.add("clear");
      }
    };
  }
}
