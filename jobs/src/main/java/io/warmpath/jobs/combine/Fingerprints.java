package io.warmpath.jobs.combine;

import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The events of one partition that were counted lately, each by a 64-bit fingerprint, in buckets of
 * ten seconds of event time. Buckets leave as a whole: those that time has passed, and the oldest
 * where there are too many events.
 *
 * <p>One open-addressed table holds the fingerprints of all buckets, so that an event is looked up
 * once; a byte beside each slot names the bucket. An event takes 12 to 24 bytes.
 */
final class Fingerprints {

  static final long BUCKET_MS = 10_000;

  private static final int INITIAL_SLOTS = 64;
  private static final byte FREE = 0;

  /** Buckets whose tags must differ; more than memory can hold at once. */
  private static final int TAGS = 127;

  private final long memoryMs;
  private final int maxSize;

  private long[] slots = new long[INITIAL_SLOTS];
  private byte[] tags = new byte[INITIAL_SLOTS];
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
    return tags[slotOf(fingerprint)] != FREE;
  }

  /**
   * Remembers an event that is not remembered yet.
   *
   * @param timeMs its time, above the highest less the memory
   * @param highMs the partition's highest time, this event's included
   * @return false if it was remembered already, which changes nothing
   */
  boolean add(long fingerprint, long timeMs, long highMs) {
    int slot = slotOf(fingerprint);
    if (tags[slot] != FREE) {
      return false;
    }
    if (forgetBefore(bucketOf(highMs - memoryMs))) {
      slot = slotOf(fingerprint);
    }
    long bucket = bucketOf(timeMs);
    if (bucket < oldestBucket) {
      // Its bucket has left, for want of room.
      forgotten++;
      return true;
    }
    put(slot, fingerprint, tagOf(bucket));
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

  /** Places in the table, 9 bytes each. */
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

  private int slotOf(long fingerprint) {
    int mask = slots.length - 1;
    int slot = (int) (fingerprint ^ fingerprint >>> 32) & mask;
    while (tags[slot] != FREE && slots[slot] != fingerprint) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void put(int slot, long fingerprint, byte tag) {
    slots[slot] = fingerprint;
    tags[slot] = tag;
    sizeByTag[tag]++;
    size++;
    if (size * 4L > slots.length * 3L) {
      rebuild(slots.length * 2);
    }
  }

  /** Returns whether anything has moved. */
  private boolean forgetBefore(long bucket) {
    if (bucket <= oldestBucket) {
      return false;
    }
    int left = size;
    boolean all = bucket > newestBucket;
    for (long old = oldestBucket; !all && old < bucket; old++) {
      left -= sizeByTag[tagOf(old)];
      sizeByTag[tagOf(old)] = 0;
    }
    oldestBucket = bucket;
    if (all) {
      Arrays.fill(sizeByTag, 0);
      left = 0;
    }
    if (left == size) {
      return false;
    }
    int wanted = INITIAL_SLOTS;
    while (left * 2L > wanted) {
      wanted *= 2;
    }
    // Not smaller than half, so that a steady stream does not grow it anew each time.
    rebuild(Math.max(wanted, slots.length / 2));
    return true;
  }

  /** Moves what belongs to a bucket that is still counted to a table of the given length. */
  private void rebuild(int length) {
    long[] oldSlots = slots;
    byte[] oldTags = tags;
    slots = new long[length];
    tags = new byte[length];
    size = 0;
    for (int i = 0; i < oldSlots.length; i++) {
      if (oldTags[i] != FREE && sizeByTag[oldTags[i]] > 0) {
        int slot = slotOf(oldSlots[i]);
        slots[slot] = oldSlots[i];
        tags[slot] = oldTags[i];
        size++;
      }
    }
  }

  /** Writes all that is remembered. */
  void writeTo(DataOutput out) throws IOException {
    Varint.write(forgotten, out);
    out.writeLong(oldestBucket);
    out.writeLong(newestBucket);
    Varint.write(size, out);
    for (int i = 0; i < slots.length; i++) {
      if (tags[i] != FREE) {
        out.writeByte(tags[i]);
        out.writeLong(slots[i]);
      }
    }
  }

  /** Takes in what {@link #writeTo} wrote; nothing may be remembered yet. */
  void readFrom(DataInput in) throws IOException {
    forgotten = Varint.read(in);
    oldestBucket = in.readLong();
    newestBucket = in.readLong();
    for (int left = Varint.readAtMost(Integer.MAX_VALUE, in); left > 0; left--) {
      byte tag = in.readByte();
      long fingerprint = in.readLong();
      put(slotOf(fingerprint), fingerprint, tag);
    }
  }
}
