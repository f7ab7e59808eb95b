package io.warmpath.jobs.combine;

import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * The parts of one number that are there. A part that is not, below one that is, may still come;
 * how many there are above the highest one nobody says.
 */
final class Parts {

  /** Parts beyond this are taken for one. */
  private static final int MAX_PARTS = 4_096;

  /**
   * What is missing below a part, and not below the one revealed before it, was seen to be so at a
   * time of the partition.
   */
  private record Revealed(int toPart, long atMs) {}

  private final BitSet there = new BitSet();
  private final Deque<Revealed> revealed = new ArrayDeque<>();
  private long heardMs;

  /** Nothing is known of it, and nothing missed, below a part. */
  static Parts from(int part) {
    Parts parts = new Parts();
    parts.there.set(0, Math.min(part, MAX_PARTS));
    return parts;
  }

  /**
   * Takes note of a part.
   *
   * @param highMs highest time of the partition, never falling
   * @return whether it had not been there
   */
  boolean note(int number, long highMs) {
    int part = Math.min(number, MAX_PARTS);
    boolean isNew = !there.get(part);
    if (part > there.length()) {
      revealed.addLast(new Revealed(part, highMs));
    }
    there.set(part);
    heardMs = highMs;
    return isNew;
  }

  /** Parts that may still come. */
  int missing() {
    return there.length() - there.cardinality();
  }

  /** Times at which parts were seen to be missing, those that have come since included. */
  int reveals() {
    return revealed.size();
  }

  /** Gives up what was missing before a time, and returns how many parts those are. */
  int takeLost(long beforeMs) {
    int lost = 0;
    while (!revealed.isEmpty() && revealed.getFirst().atMs() < beforeMs) {
      lost += takeOldest();
    }
    return lost;
  }

  /** Gives up what has been missing longest; what comes of it after that is a copy. */
  int takeOldest() {
    int toPart = revealed.removeFirst().toPart();
    int lost = toPart - there.get(0, toPart).cardinality();
    there.set(0, toPart);
    return lost;
  }

  /** Highest time of the partition when it was last heard of. */
  long heardMs() {
    return heardMs;
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeLong(heardMs);
    byte[] bits = there.toByteArray();
    Varint.write(bits.length, out);
    out.write(bits);
    Varint.write(revealed.size(), out);
    for (Revealed each : revealed) {
      Varint.write(each.toPart(), out);
      out.writeLong(each.atMs());
    }
  }

  static Parts readFrom(DataInput in) throws IOException {
    Parts parts = readOnce(in);
    parts.revealed.clear();
    for (int left = Varint.readAtMost(MAX_PARTS, in); left > 0; left--) {
      parts.revealed.addLast(new Revealed(Varint.readAtMost(MAX_PARTS, in), in.readLong()));
    }
    return parts;
  }

  /** As they were written when all that was missing had one time. */
  static Parts readOnce(DataInput in) throws IOException {
    Parts parts = new Parts();
    parts.heardMs = in.readLong();
    byte[] bits = new byte[Varint.readAtMost(MAX_PARTS / Byte.SIZE + 1, in)];
    in.readFully(bits);
    parts.there.or(BitSet.valueOf(bits));
    if (parts.missing() > 0) {
      parts.revealed.addLast(new Revealed(parts.there.length(), parts.heardMs));
    }
    return parts;
  }
}
