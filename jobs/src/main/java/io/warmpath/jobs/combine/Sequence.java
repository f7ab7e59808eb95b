package io.warmpath.jobs.combine;

import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

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

  /** Of so many of the last numbers each part is known again, however late another one comes. */
  private static final int KEPT_NUMBERS = 16;

  /** Of no more numbers than this a further part is waited for. */
  static final int MAX_NUMBERS = 1_024;

  /** Numbers that are missing, up to one and including it, since a time of the partition. */
  private record Hole(long toSeq, long revealedMs) {
    long size(long fromSeq) {
      return toSeq - fromSeq + 1;
    }
  }

  private long incarnation;
  private long nextSeq;
  private long lastMs;
  private long lostAtOnce;
  private final TreeMap<Long, Hole> holes = new TreeMap<>();

  /** Parts of the last numbers, in the order in which the numbers were first heard of. */
  private final Map<Long, Parts> parts = new LinkedHashMap<>();

  private final long boundMs;

  /** Missing parts of all numbers, and the times since when they are. */
  private int missingParts;

  private int reveals;

  private Sequence(long boundMs) {
    this.boundMs = boundMs;
  }

  /**
   * Begins with a record that nothing is known before, neither numbers nor parts of its own.
   *
   * @param boundMs disorder that is on time
   */
  static Sequence from(SequencePlace place, long boundMs) {
    Sequence sequence = new Sequence(boundMs);
    sequence.incarnation = place.incarnation();
    sequence.nextSeq = place.seq();
    sequence.parts.put(place.seq(), Parts.from(place.part()));
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
    reveals = 0;
    parts.clear();
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
      return parts.containsKey(seq) && notePart(place, highMs);
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
    Parts known = parts.computeIfAbsent(place.seq(), unheardOf -> new Parts());
    boolean isNew = changing(known, each -> each.note(place.part(), highMs));
    forgetOld(highMs - boundMs);
    while (reveals > MAX_HOLES) {
      lostAtOnce += changing(oldestThatWaits(), Parts::takeOldest);
    }
    return isNew;
  }

  /** Does something to the parts of a number, and keeps the sums right. */
  private <R> R changing(Parts number, Function<Parts, R> change) {
    int missing = number.missing();
    int times = number.reveals();
    R result = change.apply(number);
    missingParts += number.missing() - missing;
    reveals += number.reveals() - times;
    return result;
  }

  private Parts oldestThatWaits() {
    return parts.values().stream().filter(each -> each.reveals() > 0).findFirst().orElseThrow();
  }

  /** Forgets numbers of which no part can come any more that would be on time. */
  private void forgetOld(long beforeMs) {
    Iterator<Parts> oldest = parts.values().iterator();
    while (parts.size() > KEPT_NUMBERS) {
      Parts each = oldest.next();
      boolean over = each.missing() == 0 && each.heardMs() < beforeMs;
      if (!over && parts.size() <= MAX_NUMBERS) {
        return;
      }
      lostAtOnce += each.missing();
      missingParts -= each.missing();
      reveals -= each.reveals();
      oldest.remove();
    }
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

  private int takeLostParts(long beforeMs) {
    int lost = 0;
    if (reveals > 0) {
      for (Parts each : parts.values()) {
        lost += changing(each, number -> number.takeLost(beforeMs));
      }
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
    // Fewer than this stand where parts were written with one time each.
    Varint.write(MAX_HOLES + 1 + holes.size(), out);
    for (Map.Entry<Long, Hole> hole : holes.entrySet()) {
      out.writeLong(hole.getKey());
      out.writeLong(hole.getValue().toSeq());
      out.writeLong(hole.getValue().revealedMs());
    }
    Varint.write(parts.size(), out);
    for (Map.Entry<Long, Parts> number : parts.entrySet()) {
      out.writeLong(number.getKey());
      number.getValue().writeTo(out);
    }
  }

  /** What {@link #writeTo} wrote, now or before parts had their own times. */
  static Sequence readFrom(DataInput in, long boundMs) throws IOException {
    Sequence read = new Sequence(boundMs);
    read.incarnation = in.readLong();
    read.nextSeq = in.readLong();
    read.lastMs = in.readLong();
    read.lostAtOnce = in.readLong();
    int count = Varint.readAtMost(2 * MAX_HOLES + 1, in);
    boolean timeByPart = count > MAX_HOLES;
    for (int left = timeByPart ? count - MAX_HOLES - 1 : count; left > 0; left--) {
      read.holes.put(in.readLong(), new Hole(in.readLong(), in.readLong()));
    }
    for (int left = Varint.readAtMost(MAX_NUMBERS, in); left > 0; left--) {
      long seq = in.readLong();
      Parts number = timeByPart ? Parts.readFrom(in) : Parts.readOnce(in);
      read.parts.put(seq, number);
      read.missingParts += number.missing();
      read.reveals += number.reveals();
    }
    return read;
  }
}
