package io.warmpath.schemas.cache;

import io.warmpath.schemas.HashList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits the events of one batch so that each part stays below the size limit of a record. */
public final class BatchSplitter {

  /** Below the 512 KiB that a record may have, with room for its own fields. */
  private static final int MAX_BYTES = 480 * 1024;

  /** Bytes of an event beside its hashes and names, at most. */
  private static final int EVENT_BYTES = 256;

  /** Most bytes that a character of a name takes, escaped. */
  private static final int CHARACTER_BYTES = 6;

  private static final int MAX_HASHES = (MAX_BYTES - EVENT_BYTES) / 11;

  private BatchSplitter() {}

  /** The events in order, in one part or more; none for no events. */
  public static List<List<CacheEvent>> split(List<CacheEvent> events) {
    List<List<CacheEvent>> parts = new ArrayList<>();
    List<CacheEvent> part = new ArrayList<>();
    long bytes = 0;
    for (CacheEvent event : events) {
      for (CacheEvent piece : pieces(event)) {
        long pieceBytes = bytes(piece);
        if (bytes + pieceBytes > MAX_BYTES) {
          parts.add(part);
          part = new ArrayList<>();
          bytes = 0;
        }
        part.add(piece);
        bytes += pieceBytes;
      }
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  private static List<CacheEvent> pieces(CacheEvent event) {
    if (event instanceof CacheEvent.Stored stored && stored.hashesB64().size() > MAX_HASHES) {
      return chunks(stored.hashesB64()).stream()
          .map(
              hashes ->
                  (CacheEvent)
                      new CacheEvent.Stored(
                          hashes, stored.blockTokens(), stored.medium(), stored.group()))
          .toList();
    }
    if (event instanceof CacheEvent.Removed removed && removed.hashesB64().size() > MAX_HASHES) {
      return chunks(removed.hashesB64()).stream()
          .map(
              hashes ->
                  (CacheEvent) new CacheEvent.Removed(hashes, removed.medium(), removed.group()))
          .toList();
    }
    return List.of(event);
  }

  private static List<HashList> chunks(HashList hashes) {
    long[] all = hashes.toArray();
    List<HashList> chunks = new ArrayList<>();
    for (int from = 0; from < all.length; from += MAX_HASHES) {
      chunks.add(
          HashList.of(Arrays.copyOfRange(all, from, Math.min(all.length, from + MAX_HASHES))));
    }
    return chunks;
  }

  private static long bytes(CacheEvent event) {
    if (event instanceof CacheEvent.Stored stored) {
      return EVENT_BYTES + 11L * stored.hashesB64().size();
    }
    if (event instanceof CacheEvent.Removed removed) {
      return EVENT_BYTES + 11L * removed.hashesB64().size();
    }
    if (event instanceof CacheEvent.Prefill prefill) {
      int policy = prefill.policy() == null ? 0 : prefill.policy().length();
      return EVENT_BYTES + (long) CHARACTER_BYTES * (prefill.requestId().length() + policy);
    }
    return EVENT_BYTES;
  }
}
