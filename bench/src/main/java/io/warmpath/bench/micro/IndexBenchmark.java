package io.warmpath.bench.micro;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What a decision costs on a prompt of 128k tokens (2,048 blocks of 64), with 64 replicas whose
 * events put 10 million blocks into the index, and the plain hash of as many bytes beside it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class IndexBenchmark {

  private static final int BLOCKS = 2_048;
  private static final int BLOCK_TOKENS = 64;
  private static final int REPLICAS = 64;
  private static final int INDEXED_BLOCKS = 10_000_000;
  private static final int PROMPTS = 256;

  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  private final PrefixHasher hasher = new PrefixHasher(BLOCK_TOKENS);
  private final int[] tokens = new Random(1).ints(BLOCKS * BLOCK_TOKENS).toArray();
  private final byte[] bytes = new byte[BLOCKS * (BLOCK_TOKENS * Integer.BYTES + Long.BYTES)];
  private final long[] hashes = new long[BLOCKS];
  private final long[][] prompts = new long[PROMPTS][];
  private final List<String> names = new ArrayList<>();
  private final PrefixIndex index = new PrefixIndex(new IndexBounds(1, INDEXED_BLOCKS, 1 << 20));
  private int prompt;

  /**
   * Fills the index. All share a system prompt of 32 blocks; each prompt goes on alone, and is held
   * whole by one replica and up to some block by three others.
   */
  @Setup
  public void fill() {
    Random random = new Random(2);
    random.nextBytes(bytes);
    for (int replica = 0; replica < REPLICAS; replica++) {
      names.add("replica-" + replica);
      index.addReplica("replica-" + replica);
    }
    long[] shared = random.longs(32).toArray();
    for (int i = 0; i < PROMPTS; i++) {
      prompts[i] = random.longs(BLOCKS).toArray();
      System.arraycopy(shared, 0, prompts[i], 0, shared.length);
      for (int holder = 0; holder < 4; holder++) {
        int held = holder == 0 ? BLOCKS : 1 + random.nextInt(BLOCKS);
        store(random.nextInt(REPLICAS), Arrays.copyOf(prompts[i], held));
      }
    }
    for (int replica = 0; replica < REPLICAS; replica++) {
      store(replica, shared);
      for (long left = INDEXED_BLOCKS / REPLICAS - index.storedBlocks(names.get(replica));
          left > 0;
          left -= 1_000) {
        store(replica, random.longs(Math.min(left, 1_000)).toArray());
      }
    }
  }

  private void store(int replica, long[] stored) {
    index.apply(
        new CacheEventBatch(
            1,
            names.get(replica),
            "m",
            CacheEventBatch.Source.ENGINE,
            1,
            0,
            0,
            null,
            List.of(new CacheEvent.Stored(HashList.of(stored), BLOCK_TOKENS, CacheEvent.GPU, 0))));
  }

  /** The hash of as many bytes in one go: the floor. */
  @Benchmark
  public long plainHash() {
    return XXH3.hashBytesToLong(bytes);
  }

  /** The chained hashes of a prompt. */
  @Benchmark
  public long hashing() {
    hasher.hash(1, tokens, 0, tokens.length, hashes, 0);
    return hashes[BLOCKS - 1];
  }

  /** The chained hashes of what a conversation grew by: four blocks. */
  @Benchmark
  public long hashingOneMoreTurn() {
    hasher.hash(1, tokens, 0, 4 * BLOCK_TOKENS, hashes, 0);
    return hashes[3];
  }

  /** What all replicas hold of a prompt. */
  @Benchmark
  public int[] lookup() {
    prompt = (prompt + 1) % PROMPTS;
    return index.cachedBlocks(prompts[prompt], BLOCKS, names);
  }
}
