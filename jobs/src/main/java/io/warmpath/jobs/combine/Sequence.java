package io.warmpath.jobs.combine;

import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * What has been seen of one numbering. A number that was left out may still come, as order is not
 * promised; it counts as lost when the partition's time has gone far enough beyond the record that
 * revealed the hole.
 */
final class Sequence {

  /** What a record is to its numbering. */
  enum Verdict {
    NEW,
    COPY,
    /** The first one of a later incarnation. */
    RESTART,
    /** Of an incarnation that is over; nothing can be said of its order. */
    STALE
  }

  /** More holes than this are not waited for: the oldest counts as lost at once. */
  static final int MAX_HOLES = 1_024;

  /** So many numbers that came in parts are remembered part by part. */
  private static final int MAX_PARTED = 16;

  private static final int MAX_PARTS = 4_096;

  /** Numbers that are missing, up to one and including it, since a time of the partition. */
  private record Hole(long toSeq, long revealedMs) {
    long size(long fromSeq) {
      return toSeq - fromSeq + 1;
    }
  }

  /** The parts of one number that are there, and when it was last seen that some are not. */
  private static final class Parted {
    private final long seq;
    private final BitSet parts;
    private long revealedMs;

    private Parted(long seq, BitSet parts, long revealedMs) {
      this.seq = seq;
      this.parts = parts;
      this.revealedMs = revealedMs;
    }

    /** Parts below the highest one that are not there; how many are above it nobody says. */
    int missing() {
      return parts.length() - parts.cardinality();
    }
  }

  private long incarnation;
  private long nextSeq;
  private long lastMs;
  private long lostAtOnce;
  private final TreeMap<Long, Hole> holes = new TreeMap<>();
  private final Deque<Parted> parted = new ArrayDeque<>();

  /** Missing parts of all in {@link #parted}. */
  private int missingParts;

  private Sequence() {}

  /** Begins with a record that nothing is known before. */
  static Sequence from(SequencePlace place) {
    Sequence sequence = new Sequence();
    sequence.incarnation = place.incarnation();
    sequence.nextSeq = place.seq();
    return sequence;
  }

  /**
   * Takes note of a record.
   *
   * @param highMs highest time of the partition, this record's included
   */
  Verdict note(SequencePlace place, long highMs) {
    lastMs = Math.max(lastMs, highMs);
    if (place.incarnation() < incarnation) {
      return Verdict.STALE;
    }
    boolean restarted = place.incarnation() > incarnation;
    if (restarted) {
      restart(place.incarnation());
    }
    boolean isNew = place.seq() >= nextSeq ? isNewest(place, highMs) : isMissing(place, highMs);
    if (restarted) {
      return Verdict.RESTART;
    }
    return isNew ? Verdict.NEW : Verdict.COPY;
  }

  /** What was missing before does not come any more, and is lost. */
  private void restart(long next) {
    holes.forEach((from, hole) -> lostAtOnce += hole.size(from));
    holes.clear();
    lostAtOnce += missingParts;
    missingParts = 0;
    parted.clear();
    incarnation = next;
    nextSeq = 0;
  }

  private boolean isNewest(SequencePlace place, long highMs) {
    long seq = place.seq();
    if (seq > nextSeq) {
      holes.put(nextSeq, new Hole(seq - 1, highMs));
      if (holes.size() > MAX_HOLES) {
        Map.Entry<Long, Hole> oldest = holes.pollFirstEntry();
        lostAtOnce += oldest.getValue().size(oldest.getKey());
      }
    }
    nextSeq = seq + 1;
    return notePart(place, highMs);
  }

  private boolean isMissing(SequencePlace place, long highMs) {
    long seq = place.seq();
    Map.Entry<Long, Hole> hole = holes.floorEntry(seq);
    if (hole == null || hole.getValue().toSeq() < seq) {
      // A further part of a number that is there, or a copy.
      return partsOf(seq) != null && notePart(place, highMs);
    }
    long from = hole.getKey();
    Hole missing = hole.getValue();
    holes.remove(from);
    if (from < seq) {
      holes.put(from, new Hole(seq - 1, missing.revealedMs()));
    }
    if (seq < missing.toSeq()) {
      holes.put(seq + 1, new Hole(missing.toSeq(), missing.revealedMs()));
    }
    return notePart(place, highMs);
  }

  private boolean notePart(SequencePlace place, long highMs) {
    int part = Math.min(place.part(), MAX_PARTS);
    Parted known = partsOf(place.seq());
    if (known == null) {
      known = new Parted(place.seq(), new BitSet(), highMs);
      parted.addLast(known);
      if (parted.size() > MAX_PARTED) {
        int lost = parted.removeFirst().missing();
        missingParts -= lost;
        lostAtOnce += lost;
      }
    }
    boolean isNew = !known.parts.get(part);
    int before = known.missing();
    known.parts.set(part);
    missingParts += known.missing() - before;
    if (known.missing() > before) {
      known.revealedMs = highMs;
    }
    return isNew;
  }

  private Parted partsOf(long seq) {
    for (Iterator<Parted> newest = parted.descendingIterator(); newest.hasNext(); ) {
      Parted each = newest.next();
      if (each.seq == seq) {
        return each;
      }
    }
    return null;
  }

  /** Takes out how many records are lost that were waited for up to {@code beforeMs}. */
  long takeLost(long beforeMs) {
    long lost = lostAtOnce;
    lostAtOnce = 0;
    Iterator<Map.Entry<Long, Hole>> each = holes.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Long, Hole> hole = each.next();
      if (hole.getValue().revealedMs() < beforeMs) {
        lost += hole.getValue().size(hole.getKey());
        each.remove();
      }
    }
    return lost + takeLostParts(beforeMs);
  }

  /** What comes of them after that is a copy, as it is of numbers. */
  private int takeLostParts(long beforeMs) {
    int lost = 0;
    if (missingParts > 0) {
      for (Parted each : parted) {
        if (each.missing() > 0 && each.revealedMs < beforeMs) {
          lost += each.missing();
          each.parts.set(0, each.parts.length());
        }
      }
      missingParts -= lost;
    }
    return lost;
  }

  /** Whether anything may be lost. */
  boolean isWaiting() {
    return lostAtOnce > 0 || missingParts > 0 || !holes.isEmpty();
  }

  /** Highest time of the partition when it was last heard of. */
  long lastMs() {
    return lastMs;
  }

  /** Writes all of it. */
  void writeTo(DataOutput out) throws IOException {
    out.writeLong(incarnation);
    out.writeLong(nextSeq);
    out.writeLong(lastMs);
    out.writeLong(lostAtOnce);
    Varint.write(holes.size(), out);
    for (Map.Entry<Long, Hole> hole : holes.entrySet()) {
      out.writeLong(hole.getKey());
      out.writeLong(hole.getValue().toSeq());
      out.writeLong(hole.getValue().revealedMs());
    }
    Varint.write(parted.size(), out);
    for (Parted each : parted) {
      byte[] parts = each.parts.toByteArray();
      out.writeLong(each.seq);
      out.writeLong(each.revealedMs);
      Varint.write(parts.length, out);
      out.write(parts);
    }
  }

  /** What {@link #writeTo} wrote. */
  static Sequence readFrom(DataInput in) throws IOException {
    Sequence read = new Sequence();
    read.incarnation = in.readLong();
    read.nextSeq = in.readLong();
    read.lastMs = in.readLong();
    read.lostAtOnce = in.readLong();
    for (int left = Varint.readAtMost(MAX_HOLES, in); left > 0; left--) {
      read.holes.put(in.readLong(), new Hole(in.readLong(), in.readLong()));
    }
    for (int left = Varint.readAtMost(MAX_PARTED, in); left > 0; left--) {
      long seq = in.readLong();
      long revealedMs = in.readLong();
      byte[] parts = new byte[Varint.readAtMost(MAX_PARTS / Byte.SIZE + 1, in)];
      in.readFully(parts);
      Parted each = new Parted(seq, BitSet.valueOf(parts), revealedMs);
      read.parted.addLast(each);
      read.missingParts += each.missing();
    }
    return read;
  }
}
