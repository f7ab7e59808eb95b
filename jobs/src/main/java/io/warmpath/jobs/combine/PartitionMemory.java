package io.warmpath.jobs.combine;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What is remembered of one partition. All of it is a function of the partition's records up to an
 * offset, so neither a restart nor another parallelism changes what is counted.
 */
final class PartitionMemory {

  /** Of a partition that nothing was accepted from; so low that nothing is late, room below. */
  static final long NONE = Long.MIN_VALUE / 2;

  private final Fingerprints counted;
  private final KnownKeys keys;
  private final Sequences sequences;
  private long nextOffset;
  private long highMs = NONE;

  PartitionMemory(CombineRules rules) {
    counted = new Fingerprints(rules.memoryMs(), rules.maxFingerprints());
    keys = new KnownKeys(rules.maxKeys());
    sequences = new Sequences(rules.maxKeys(), rules.lateness().boundMs());
  }

  /** Offset after the last record that this remembers. */
  long nextOffset() {
    return nextOffset;
  }

  /** Notes that the record at {@code offset} has been seen. */
  void passed(long offset) {
    nextOffset = offset + 1;
  }

  /** Highest event time accepted, {@link #NONE} where there is none yet. */
  long highMs() {
    return highMs;
  }

  /** Raises the highest event time, never lowers it. */
  void raise(long timeMs) {
    highMs = Math.max(highMs, timeMs);
  }

  /** The events that were counted lately. */
  Fingerprints counted() {
    return counted;
  }

  /** The keys that are told apart. */
  KnownKeys keys() {
    return keys;
  }

  /** The numberings that its records are parts of. */
  Sequences sequences() {
    return sequences;
  }

  /** Writes all of it. */
  void writeTo(DataOutput out) throws IOException {
    out.writeLong(nextOffset);
    out.writeLong(highMs);
    keys.writeTo(out);
    counted.writeTo(out);
    sequences.writeTo(out);
  }

  /** Takes in what {@link #writeTo} wrote; nothing may be remembered yet. */
  void readFrom(DataInput in) throws IOException {
    nextOffset = in.readLong();
    highMs = in.readLong();
    keys.readFrom(in);
    counted.readFrom(in);
    sequences.readFrom(in);
  }
}
