package io.warmpath.balancer.prompt;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Values by the 128-bit hashes of what they belong to, which is itself not kept. The least recently
 * used leave when it is full. Safe for concurrent use.
 */
public final class HashedMemory<V> {

  private final Map<HashValue128, V> known = new LinkedHashMap<>(16, 0.75f, true);
  private final long mostBytes;
  private final ToLongFunction<V> bytesOf;
  private long bytes;

  /**
   * @param mostBytes memory at most
   * @param bytesOf what a value takes of it, its key included
   */
  public HashedMemory(long mostBytes, ToLongFunction<V> bytesOf) {
    this.mostBytes = mostBytes;
    this.bytesOf = bytesOf;
  }

  /** The value of a key; null if there is none. */
  public synchronized V get(HashValue128 key) {
    return known.get(key);
  }

  /** Remembers a value, which nobody may change any more. */
  public synchronized void put(HashValue128 key, V value) {
    V replaced = known.put(key, value);
    bytes += bytesOf.applyAsLong(value) - (replaced == null ? 0 : bytesOf.applyAsLong(replaced));
    Iterator<V> oldest = known.values().iterator();
    while (bytes > mostBytes) {
      bytes -= bytesOf.applyAsLong(oldest.next());
      oldest.remove();
    }
  }
}
