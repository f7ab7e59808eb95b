package io.warmpath.routing.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which of up to 64 replicas hold which block: a set of replicas, one bit each, under a block's
 * hash. One thread at a time may change it; any number may read it meanwhile, without locks. A
 * reader sees each block as it was or as it becomes.
 *
 * <p>Open addressing with linear probing, at most three quarters full and at least half after it
 * grew: 16 bytes a slot, so 21 to 32 bytes a block. A slot keeps its hash until the whole table is
 * made anew, as a reader may be on its way along it; a block that nobody holds is left out then.
 */
final class BlockTable {

  /** Most replicas of one table. */
  static final int MAX_REPLICAS = Long.SIZE;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int MIN_SLOTS = 16;
  private static final int MAX_SLOTS = 1 << 29;
  private static final int INDEX_BITS = 31;

  /** Stands for a hash of 0, which marks an empty slot. */
  private static final long ZERO = 0x9E3779B97F4A7C15L;

  private static final long SPREAD = 0xD6E8FEB86659FD93L;

  /** Hash and holders, one slot after the other. */
  private volatile long[] words = new long[2 * MIN_SLOTS];

  private int used;
  private int held;

  /** Blocks that some replica holds. */
  int blocks() {
    return held;
  }

  /** Memory of the table, bytes. */
  long bytes() {
    return (long) words.length * Long.BYTES;
  }

  /** The replicas that hold a block, a bit each. */
  long holders(long hash) {
    return holders(words, hash);
  }

  private static long holders(long[] words, long hash) {
    long wanted = hash == 0 ? ZERO : hash;
    int at = home(wanted, words.length);
    while (true) {
      long found = (long) WORD.getAcquire(words, at);
      if (found == wanted) {
        return (long) WORD.getOpaque(words, at + 1);
      }
      if (found == 0) {
        return 0;
      }
      at += 2;
      if (at == words.length) {
        at = 0;
      }
    }
  }

  private static int home(long hash, int length) {
    long spread = (hash * SPREAD) >>> (Long.SIZE - INDEX_BITS);
    return 2 * (int) ((spread * (length >>> 1)) >>> INDEX_BITS);
  }

  /** Adds a holder. Returns whether it held the block not yet. */
  boolean add(long hash, int replica) {
    long wanted = hash == 0 ? ZERO : hash;
    long bit = 1L << replica;
    int at = slot(wanted);
    long before = words[at + 1];
    if ((before & bit) != 0) {
      return false;
    }
    if (words[at] == 0) {
      if (4L * (used + 1) > 3L * (words.length >>> 1)) {
        renew();
        at = slot(wanted);
      }
      used++;
    }
    held += before == 0 ? 1 : 0;
    WORD.setOpaque(words, at + 1, before | bit);
    // The hash comes last: who finds it finds its holders.
    WORD.setRelease(words, at, wanted);
    return true;
  }

  /** Takes a holder away. Returns whether it held the block. */
  boolean remove(long hash, int replica) {
    int at = slot(hash == 0 ? ZERO : hash);
    long bit = 1L << replica;
    long before = words[at + 1];
    if ((before & bit) == 0) {
      return false;
    }
    setHolders(at, before & ~bit);
    return true;
  }

  private void setHolders(int at, long holders) {
    held -= holders == 0 ? 1 : 0;
    WORD.setOpaque(words, at + 1, holders);
  }

  /** Takes a holder away from all blocks, in one pass over the table. */
  void removeAll(int replica) {
    long bit = 1L << replica;
    long[] all = words;
    for (int at = 0; at < all.length; at += 2) {
      if ((all[at + 1] & bit) != 0) {
        setHolders(at, all[at + 1] & ~bit);
      }
    }
  }

  private int slot(long wanted) {
    long[] all = words;
    int at = home(wanted, all.length);
    while (all[at] != wanted && all[at] != 0) {
      at += 2;
      if (at == all.length) {
        at = 0;
      }
    }
    return at;
  }

  /** A new table for what is held, half full, so that as much again fits before the next. */
  private void renew() {
    long slots = Math.max(MIN_SLOTS, 2L * (held + 1));
    if (slots > MAX_SLOTS) {
      throw new IllegalStateException("more than " + MAX_SLOTS / 2 + " blocks in one index");
    }
    long[] all = words;
    long[] fresh = new long[2 * (int) slots];
    for (int at = 0; at < all.length; at += 2) {
      if (all[at + 1] != 0) {
        int free = home(all[at], fresh.length);
        while (fresh[free] != 0) {
          free += 2;
          if (free == fresh.length) {
            free = 0;
          }
        }
        fresh[free] = all[at];
        fresh[free + 1] = all[at + 1];
      }
    }
    used = held;
    words = fresh;
  }

  /**
   * Leading blocks of a prompt that each replica holds. As hashes are chained, a replica's blocks
   * fall off once along a prompt: so this looks ahead in doubling steps with all replicas at once,
   * and halves where some of them fall off.
   *
   * @param n blocks of the prompt to look at
   * @param leading gets the number for each replica, from {@code from} on; only those of {@code
   *     replicas} bits are set
   */
  void leading(long[] hashes, int n, long replicas, int[] leading, int from) {
    long[] all = words;
    long rest = replicas;
    int present = 0;
    int probe = 1;
    while (rest != 0 && present < n) {
      int next = Math.min(probe, n);
      long holding = rest & holders(all, hashes[next - 1]);
      if (holding != rest) {
        settle(all, hashes, rest & ~holding, present, next, leading, from);
      }
      rest = holding;
      present = next;
      probe = 2 * next;
    }
    set(rest, present, leading, from);
  }

  /** Replicas that hold so many blocks, and do not hold the one that is the {@code absent}th. */
  private static void settle(
      long[] all, long[] hashes, long replicas, int present, int absent, int[] leading, int from) {
    long rest = replicas;
    int low = present;
    int high = absent;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      long holding = rest & holders(all, hashes[middle - 1]);
      if (holding == 0) {
        high = middle;
      } else {
        if (holding != rest) {
          settle(all, hashes, rest & ~holding, low, middle, leading, from);
          rest = holding;
        }
        low = middle;
      }
    }
    set(rest, low, leading, from);
  }

  private static void set(long replicas, int blocks, int[] leading, int from) {
    for (long rest = replicas; rest != 0; rest &= rest - 1) {
      leading[from + Long.numberOfTrailingZeros(rest)] = blocks;
    }
  }
}
