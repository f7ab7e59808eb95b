package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/**
 * The numberings that a partition's records are parts of: at most so many, as their names come from
 * outside; records of a further one are neither missed nor known again. One that was silent for an
 * hour leaves its place, and begins anew if it is heard of again.
 */
final class Sequences {

  private static final long SILENT_MS = 3_600_000;
  private static final long SWEEP_MS = 10_000;

  private record Name(PaneKey key, int lane) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int models = key.model().compareTo(other.key.model());
      if (models != 0) {
        return models;
      }
      int replicas = key.replica().compareTo(other.key.replica());
      return replicas != 0 ? replicas : Integer.compare(lane, other.lane);
    }
  }

  private final int max;
  private final long boundMs;
  private final TreeMap<Name, Sequence> byName = new TreeMap<>();
  private int waiting;
  private long sweptMs = Long.MIN_VALUE;

  /**
   * @param max at most so many are kept
   * @param boundMs disorder that is on time
   */
  Sequences(int max, long boundMs) {
    this.max = max;
    this.boundMs = boundMs;
  }

  /**
   * Takes note of a record.
   *
   * @param highMs highest time of the partition, the record's included
   */
  Sequence.Verdict note(SequencePlace place, long highMs) {
    Name name = new Name(place.key(), place.lane());
    Sequence known = byName.get(name);
    if (known == null) {
      if (byName.size() >= max) {
        sweep(highMs);
      }
      if (byName.size() >= max) {
        return Sequence.Verdict.NEW;
      }
      known = Sequence.from(place, boundMs);
      byName.put(name, known);
    }
    boolean waited = known.isWaiting();
    Sequence.Verdict verdict = known.note(place, highMs);
    waiting += (known.isWaiting() ? 1 : 0) - (waited ? 1 : 0);
    return verdict;
  }

  /** Whether any record may be lost. */
  boolean isWaiting() {
    return waiting > 0;
  }

  /** Hands out how many records of whom are lost that were waited for up to {@code beforeMs}. */
  void takeLost(long beforeMs, ObjLongConsumer<PaneKey> out) {
    waiting = 0;
    byName.forEach(
        (name, sequence) -> {
          long lost = sequence.takeLost(beforeMs);
          if (lost > 0) {
            out.accept(name.key(), lost);
          }
          waiting += sequence.isWaiting() ? 1 : 0;
        });
  }

  private void sweep(long highMs) {
    if (sweptMs <= highMs - SWEEP_MS) {
      sweptMs = highMs;
      byName.values().removeIf(each -> each.lastMs() < highMs - SILENT_MS && !each.isWaiting());
    }
  }

  /** Number of numberings. */
  int size() {
    return byName.size();
  }

  /** Writes all of them. */
  void writeTo(DataOutput out) throws IOException {
    out.writeLong(sweptMs);
    Varint.write(byName.size(), out);
    for (Map.Entry<Name, Sequence> each : byName.entrySet()) {
      PaneKey key = each.getKey().key();
      out.writeUTF(key.model());
      out.writeUTF(key.policy());
      out.writeUTF(key.replica());
      out.writeInt(each.getKey().lane());
      each.getValue().writeTo(out);
    }
  }

  /** Takes in what {@link #writeTo} wrote; nothing may be known yet. */
  void readFrom(DataInput in) throws IOException {
    sweptMs = in.readLong();
    for (int left = Varint.readAtMost(Integer.MAX_VALUE, in); left > 0; left--) {
      Name name = new Name(new PaneKey(in.readUTF(), in.readUTF(), in.readUTF()), in.readInt());
      Sequence sequence = Sequence.readFrom(in, boundMs);
      byName.put(name, sequence);
      waiting += sequence.isWaiting() ? 1 : 0;
    }
  }
}
