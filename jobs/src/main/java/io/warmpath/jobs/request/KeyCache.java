package io.warmpath.jobs.request;

import io.warmpath.jobs.pane.PaneKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys by the bytes of their names, so that an event of a known key makes no objects. A key may be
 * at its place or at the one beside it, so that two that meet do not drive each other out.
 */
final class KeyCache {

  private static final int PLACE_BITS = 13;

  /** 2^64 divided by the golden ratio: multiplied by it, each bit reaches the upper half. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private record Entry(byte[] model, byte[] policy, byte[] replica, PaneKey key) {}

  private final Entry[] entries = new Entry[1 << PLACE_BITS];

  /**
   * The key whose names lie at the given places.
   *
   * @param replicaTo 0 where there is no replica
   */
  PaneKey of(
      byte[] bytes,
      int modelFrom,
      int modelTo,
      int policyFrom,
      int policyTo,
      int replicaFrom,
      int replicaTo) {
    int hash = hash(bytes, modelFrom, modelTo, 1);
    hash = hash(bytes, policyFrom, policyTo, hash);
    hash = hash(bytes, replicaFrom, replicaTo, hash);
    int place = hash >>> Integer.SIZE - PLACE_BITS;
    for (int i = 0; i < 2; i++) {
      Entry entry = entries[place ^ i];
      if (entry != null
          && isAt(entry.replica, bytes, replicaFrom, replicaTo)
          && isAt(entry.policy, bytes, policyFrom, policyTo)
          && isAt(entry.model, bytes, modelFrom, modelTo)) {
        return entry.key;
      }
    }
    Entry entry =
        entry(
            copy(bytes, modelFrom, modelTo),
            copy(bytes, policyFrom, policyTo),
            replicaTo == 0 ? null : copy(bytes, replicaFrom, replicaTo));
    entries[place ^ 1] = entries[place];
    entries[place] = entry;
    return entry.key;
  }

  private static int hash(byte[] bytes, int from, int to, int start) {
    long hash = start * 31L + to - from;
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      hash = (hash ^ AsciiWord.at(bytes, i)) * SPREAD;
      hash ^= hash >>> 32;
    }
    if (i < to) {
      hash ^= AsciiWord.first(bytes, i, to - i);
    }
    return Long.hashCode(hash * SPREAD);
  }

  private static boolean isAt(byte[] name, byte[] bytes, int from, int to) {
    return name == null ? to == 0 : to > 0 && Arrays.equals(name, 0, name.length, bytes, from, to);
  }

  private static byte[] copy(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  private static Entry entry(byte[] model, byte[] policy, byte[] replica) {
    PaneKey key = PaneKey.of(text(model), text(policy), replica == null ? null : text(replica));
    return new Entry(model, policy, replica, key);
  }

  private static String text(byte[] ascii) {
    return new String(ascii, StandardCharsets.US_ASCII);
  }
}
