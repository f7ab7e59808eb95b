package io.warmpath.bridge.follow;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Arrays;

/** Fingerprints of an engine's last messages: the same number with another content is a restart. */
final class RecentMessages {

  private static final int KEPT = 1 << 12;

  /** What is known of a message. */
  enum Verdict {
    SAME,
    OTHER,
    FORGOTTEN
  }

  private final long[] seqs = new long[KEPT];
  private final long[] fingerprints = new long[KEPT];

  RecentMessages() {
    forget();
  }

  void note(Message message) {
    int at = (int) message.seq() & KEPT - 1;
    seqs[at] = message.seq();
    fingerprints[at] = fingerprint(message);
  }

  Verdict compare(Message message) {
    int at = (int) message.seq() & KEPT - 1;
    if (seqs[at] != message.seq()) {
      return Verdict.FORGOTTEN;
    }
    return fingerprints[at] == fingerprint(message) ? Verdict.SAME : Verdict.OTHER;
  }

  void forget() {
    Arrays.fill(seqs, -1);
  }

  private static long fingerprint(Message message) {
    return Hashing.xxh3_64().hashBytesToLong(message.payload());
  }
}
