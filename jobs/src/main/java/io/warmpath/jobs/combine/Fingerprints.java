package io.warmpath.jobs.combine;

import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The events of one partition that were counted lately, each by a 64-bit fingerprint, in buckets of
 * ten seconds of event time. Buckets leave as a whole: those that time has passed, and the oldest
 * where there are too many events.
 *
 * <p>One open-addressed table holds the fingerprints of all buckets and nothing else, so that an
 * event that was not seen costs one place of memory. Beside it each bucket lists its own, by which
 * they are taken out again. An event takes 19 to 44 bytes.
 */
final class Fingerprints {

  static final long BUCKET_MS = 10_000;

  private static final int INITIAL_SLOTS = 64;
  private static final long FREE = 0;

  /** A list grows by half; the first part of one. */
  private static final int INITIAL_LIST = 64;

  /** Buckets whose tags must differ; more than memory can hold at once. */
  private static final int TAGS = 127;

  private static final int ENTRY_BYTES = Byte.BYTES + Long.BYTES;
  private static final int ENTRIES_AT_ONCE = 1_024;

  private final long memoryMs;
  private final int maxSize;

  private long[] slots = new long[INITIAL_SLOTS];

  /** The one fingerprint that looks like a free slot. */
  private boolean holdsFree;

  private final long[][] listByTag = new long[TAGS + 1][];
  private final int[] sizeByTag = new int[TAGS + 1];
  private int size;

  /** Lower ones are gone. */
  private long oldestBucket = Long.MIN_VALUE;

  private long newestBucket = Long.MIN_VALUE;
  private long forgotten;

  /**
   * @param memoryMs how far back from the highest time events are remembered, at most 20 minutes
   * @param maxSize at most so many are
   */
  Fingerprints(long memoryMs, int maxSize) {
    if (memoryMs > (TAGS - 2) * BUCKET_MS) {
      throw new IllegalArgumentException("memory of " + memoryMs + " ms is too long");
    }
    this.memoryMs = memoryMs;
    this.maxSize = maxSize;
  }

  /** Whether an event is remembered. */
  boolean contains(long fingerprint) {
    return fingerprint == FREE ? holdsFree : slots[slotOf(fingerprint)] != FREE;
  }

  /**
   * Remembers an event that is not remembered yet.
   *
   * @param timeMs its time, above the highest less the memory
   * @param highMs the partition's highest time, this event's included
   * @return false if it was remembered already, which changes nothing
   */
  boolean add(long fingerprint, long timeMs, long highMs) {
    if (contains(fingerprint)) {
      return false;
    }
    forgetBefore(bucketOf(highMs - memoryMs));
    long bucket = bucketOf(timeMs);
    if (bucket < oldestBucket) {
      // Its bucket has left, for want of room.
      forgotten++;
      return true;
    }
    put(fingerprint, tagOf(bucket));
    newestBucket = Math.max(newestBucket, bucket);
    while (size > maxSize) {
      forgotten += sizeByTag[tagOf(oldestBucket)];
      forgetBefore(oldestBucket + 1);
    }
    return true;
  }

  /** Number of events remembered. */
  int size() {
    return size;
  }

  /** Places in the table, 8 bytes each. */
  int slotCount() {
    return slots.length;
  }

  /** Number of events forgotten before their time, for want of room. */
  long forgotten() {
    return forgotten;
  }

  private static long bucketOf(long timeMs) {
    return Math.floorDiv(timeMs, BUCKET_MS);
  }

  private static byte tagOf(long bucket) {
    return (byte) (1 + Math.floorMod(bucket, TAGS));
  }

  /** Where a fingerprint is, or would be put. */
  private int slotOf(long fingerprint) {
    int mask = slots.length - 1;
    int slot = homeOf(fingerprint, mask);
    while (slots[slot] != FREE && slots[slot] != fingerprint) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private static int homeOf(long fingerprint, int mask) {
    return (int) (fingerprint ^ fingerprint >>> 32) & mask;
  }

  private void put(long fingerprint, byte tag) {
    list(fingerprint, tag);
    size++;
    if (fingerprint == FREE) {
      holdsFree = true;
    } else {
      slots[slotOf(fingerprint)] = fingerprint;
    }
    if (size * 4L > slots.length * 3L) {
      resize(slots.length * 2);
    }
  }

  private void list(long fingerprint, byte tag) {
    int at = sizeByTag[tag]++;
    long[] list = listByTag[tag];
    if (list == null) {
      list = listByTag[tag] = new long[INITIAL_LIST];
    } else if (at == list.length) {
      list = listByTag[tag] = Arrays.copyOf(list, at + at / 2);
    }
    list[at] = fingerprint;
  }

  private void forgetBefore(long bucket) {
    if (bucket <= oldestBucket) {
      return;
    }
    if (bucket > newestBucket) {
      forgetAll();
    } else {
      for (long old = oldestBucket; old < bucket; old++) {
        forget(tagOf(old));
      }
      shrink();
    }
    oldestBucket = bucket;
  }

  private void forgetAll() {
    if (size > 0) {
      slots = new long[INITIAL_SLOTS];
      holdsFree = false;
      Arrays.fill(listByTag, null);
      Arrays.fill(sizeByTag, 0);
      size = 0;
    }
  }

  private void forget(byte tag) {
    for (int i = 0; i < sizeByTag[tag]; i++) {
      takeOut(listByTag[tag][i]);
    }
    size -= sizeByTag[tag];
    listByTag[tag] = null;
    sizeByTag[tag] = 0;
  }

  /** Frees a slot, and moves into it what was only behind it because it was taken. */
  private void takeOut(long fingerprint) {
    if (fingerprint == FREE) {
      holdsFree = false;
      return;
    }
    int mask = slots.length - 1;
    int hole = slotOf(fingerprint);
    for (int slot = hole + 1 & mask; slots[slot] != FREE; slot = slot + 1 & mask) {
      int wayFromHome = slot - homeOf(slots[slot], mask) & mask;
      if (wayFromHome >= (slot - hole & mask)) {
        slots[hole] = slots[slot];
        hole = slot;
      }
    }
    slots[hole] = FREE;
  }

  private void shrink() {
    int wanted = slots.length;
    // Not by one half only, so that a steady stream does not let it grow anew each time.
    while (wanted > INITIAL_SLOTS && size * 4L < wanted) {
      wanted /= 2;
    }
    if (wanted < slots.length) {
      resize(wanted);
    }
  }

  private void resize(int length) {
    long[] old = slots;
    slots = new long[length];
    for (long fingerprint : old) {
      if (fingerprint != FREE) {
        slots[slotOf(fingerprint)] = fingerprint;
      }
    }
  }

  /** Writes all that is remembered. */
  void writeTo(DataOutput out) throws IOException {
    Varint.write(forgotten, out);
    out.writeLong(oldestBucket);
    out.writeLong(newestBucket);
    Varint.write(size, out);
    // Outputs are slow entry by entry, and there are millions.
    ByteBuffer entries = ByteBuffer.allocate(ENTRIES_AT_ONCE * ENTRY_BYTES);
    for (int tag = 1; tag <= TAGS; tag++) {
      for (int i = 0; i < sizeByTag[tag]; i++) {
        if (!entries.hasRemaining()) {
          out.write(entries.array());
          entries.clear();
        }
        entries.put((byte) tag).putLong(listByTag[tag][i]);
      }
    }
    out.write(entries.array(), 0, entries.position());
  }

  /** Takes in what {@link #writeTo} wrote; nothing may be remembered yet. */
  void readFrom(DataInput in) throws IOException {
    forgotten = Varint.read(in);
    oldestBucket = in.readLong();
    newestBucket = in.readLong();
    for (int left = Varint.readAtMost(Integer.MAX_VALUE, in); left > 0; left--) {
      byte tag = in.readByte();
      put(in.readLong(), tag);
    }
  }
}
