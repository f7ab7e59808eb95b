package io.warmpath.replica.engine;

import java.util.Arrays;
import java.util.Objects;

/**
 * The KV blocks of one engine with their prefix cache, after vLLM's block pool: full blocks only,
 * found by chained hash; reference counts; blocks that nobody holds keep their content until they
 * are needed, and leave in order of last use, a sequence's tail before its head.
 *
 * <p>Two sequences that compute the same block at the same time each have a copy. The listener
 * hears of the first copy's arrival and of the last one's removal, and beside that of every copy.
 */
public final class KvCache {

  private static final int NONE = -1;

  private final int blockTokens;
  private final CacheListener listener;
  private final long[] hash;
  private final boolean[] hashed;
  private final int[] references;

  /** The next younger copy of the same block, or {@link #NONE}. */
  private final int[] nextCopy;

  /** The youngest copy, kept for the oldest one only. */
  private final int[] lastCopy;

  private final FreeList free;
  private final BlockMap byHash;
  private int epoch;

  /**
   * An empty cache.
   *
   * @param totalBlocks KV blocks there are, at least 1
   * @param blockTokens tokens a block, at least 1
   * @param listener hears of its content
   */
  public KvCache(int totalBlocks, int blockTokens, CacheListener listener) {
    if (totalBlocks < 1 || blockTokens < 1) {
      throw new IllegalArgumentException(
          "a KV cache needs at least 1 block of 1 token, not "
              + totalBlocks
              + " of "
              + blockTokens);
    }
    this.blockTokens = blockTokens;
    this.listener = Objects.requireNonNull(listener, "listener");
    hash = new long[totalBlocks];
    hashed = new boolean[totalBlocks];
    references = new int[totalBlocks];
    nextCopy = new int[totalBlocks];
    lastCopy = new int[totalBlocks];
    free = new FreeList(totalBlocks);
    byHash = new BlockMap(totalBlocks);
  }

  /** A cache of the profile's size. */
  public static KvCache of(EngineProfile profile, CacheListener listener) {
    return new KvCache(profile.kvBlocks(), profile.blockTokens(), listener);
  }

  public int blockTokens() {
    return blockTokens;
  }

  public int totalBlocks() {
    return hash.length;
  }

  /** Blocks that sequences hold. */
  public int usedBlocks() {
    return hash.length - free.size();
  }

  /** Blocks that no sequence holds; most of them keep reusable content. */
  public int freeBlocks() {
    return free.size();
  }

  /** Distinct blocks that a prompt can find. */
  public int cachedBlocks() {
    return byHash.size();
  }

  /** Whether a prompt would find the block. */
  public boolean contains(long blockHash) {
    return byHash.get(blockHash) != NONE;
  }

  /** Forgets all content. Sequences keep the blocks they hold, which nobody else can find now. */
  public void clear() {
    Arrays.fill(hashed, false);
    byHash.clear();
    epoch++;
    listener.onCleared();
  }

  int epoch() {
    return epoch;
  }

  int blocksFor(int tokens) {
    return (tokens + blockTokens - 1) / blockTokens;
  }

  /** How many of the first {@code limit} hashes are there without a gap. */
  int cachedPrefix(long[] hashes, int limit) {
    int blocks = 0;
    while (blocks < limit && contains(hashes[blocks])) {
      blocks++;
    }
    return blocks;
  }

  /**
   * Gives a sequence that holds nothing its cached prefix and new blocks for the tokens after it.
   *
   * @return whether there were enough blocks; otherwise nothing changed
   */
  boolean admit(Sequence sequence, int cachedBlocks, int newTokens) {
    int unheld = 0;
    for (int i = 0; i < cachedBlocks; i++) {
      if (references[byHash.get(sequence.blockHashes[i])] == 0) {
        unheld++;
      }
    }
    int needed = blocksFor(cachedBlocks * blockTokens + newTokens);
    if (needed - cachedBlocks > free.size() - unheld) {
      return false;
    }
    ensureRoom(sequence, needed);
    for (int i = 0; i < cachedBlocks; i++) {
      hold(sequence, byHash.get(sequence.blockHashes[i]));
    }
    sequence.registeredBlocks = cachedBlocks;
    sequence.cacheEpoch = epoch;
    allocate(sequence, needed);
    return true;
  }

  /**
   * Makes room for {@code newTokens} after the computed ones.
   *
   * @return whether there were enough blocks; otherwise nothing changed
   */
  boolean grow(Sequence sequence, int newTokens) {
    int needed = blocksFor(sequence.computedTokens + newTokens);
    if (needed <= sequence.blockCount) {
      return true;
    }
    if (needed - sequence.blockCount > free.size()) {
      return false;
    }
    ensureRoom(sequence, needed);
    allocate(sequence, needed);
    return true;
  }

  /** Lets others find the blocks that are full with the first {@code tokens} tokens. */
  void register(Sequence sequence, int tokens) {
    int full = Math.min(tokens / blockTokens, sequence.blockHashes.length);
    if (full <= sequence.registeredBlocks || sequence.cacheEpoch != epoch) {
      return;
    }
    for (int i = sequence.registeredBlocks; i < full; i++) {
      int block = sequence.blocks[i];
      long key = sequence.blockHashes[i];
      int copy = byHash.get(key);
      hash[block] = key;
      hashed[block] = true;
      nextCopy[block] = NONE;
      if (copy == NONE) {
        byHash.put(key, block);
        lastCopy[block] = block;
        listener.onStored(key);
      } else {
        // The oldest copy stays the one that prompts find; after it comes the next older.
        nextCopy[lastCopy[copy]] = block;
        lastCopy[copy] = block;
      }
    }
    int from = sequence.registeredBlocks;
    sequence.registeredBlocks = full;
    listener.onFilled(sequence, from, full);
  }

  /** Takes all blocks from a sequence. */
  void release(Sequence sequence) {
    // From the tail: a prefix is worth nothing without its beginning.
    for (int i = sequence.blockCount - 1; i >= 0; i--) {
      int block = sequence.blocks[i];
      if (--references[block] == 0) {
        free.addLast(block);
      }
    }
    sequence.blockCount = 0;
    sequence.registeredBlocks = 0;
  }

  int references(int block) {
    return references[block];
  }

  /** Numbers of the blocks that no sequence holds, the next one to be reused first. */
  int[] freeOrder() {
    return free.toArray();
  }

  private static void ensureRoom(Sequence sequence, int blocks) {
    if (blocks > sequence.blocks.length) {
      sequence.blocks = Arrays.copyOf(sequence.blocks, Math.max(blocks, blocks + blocks / 4));
    }
  }

  private void hold(Sequence sequence, int block) {
    if (references[block]++ == 0) {
      free.take(block);
    }
    sequence.blocks[sequence.blockCount++] = block;
  }

  private void allocate(Sequence sequence, int blocks) {
    while (sequence.blockCount < blocks) {
      int block = free.takeFirst();
      if (hashed[block]) {
        forget(block);
      }
      references[block] = 1;
      sequence.blocks[sequence.blockCount++] = block;
    }
  }

  private void forget(int block) {
    long key = hash[block];
    hashed[block] = false;
    listener.onEvicted(key);
    int first = byHash.get(key);
    if (first != block) {
      int before = first;
      while (nextCopy[before] != block) {
        before = nextCopy[before];
      }
      nextCopy[before] = nextCopy[block];
      if (lastCopy[first] == block) {
        lastCopy[first] = before;
      }
    } else if (nextCopy[block] != NONE) {
      lastCopy[nextCopy[block]] = lastCopy[block];
      byHash.put(key, nextCopy[block]);
    } else {
      byHash.remove(key);
      listener.onRemoved(key);
    }
  }
}
