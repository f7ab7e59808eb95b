package io.warmpath.jobs.request;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * 64 bits for (request_id, type, attempt): XXH3 of the id's UTF-8, mixed with the other two. Among
 * four million events the chance that any two share one is 4 in ten million.
 */
final class EventFingerprint {

  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  private EventFingerprint() {}

  /** The fingerprint of an event whose id is {@code bytes[from, from + length)}. */
  static long of(byte[] bytes, int from, int length, RequestFigures.Type type, int attempt) {
    long id = XXH3.hashBytesToLong(bytes, from, length);
    return mix(id + mix((long) attempt << Integer.BYTES | type.ordinal()));
  }

  /** A bijection that spreads each bit over all (the finalizer of MurmurHash3). */
  private static long mix(long value) {
    long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }
}
