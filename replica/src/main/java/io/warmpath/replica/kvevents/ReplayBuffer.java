package io.warmpath.replica.kvevents;

/** The last batches, for subscribers that missed some: bounded by number and by bytes. */
final class ReplayBuffer {

  /** Most bytes of payloads, but for the last one, which is always there. */
  static final long MAX_BYTES = 64L << 20;

  private final KvEventBatch[] ring;
  private final long maxBytes;
  private int first;
  private int size;
  private long bytes;

  /**
   * An empty buffer.
   *
   * @param steps most batches
   */
  ReplayBuffer(int steps, long maxBytes) {
    ring = new KvEventBatch[steps];
    this.maxBytes = maxBytes;
  }

  /** Adds a batch with a higher number than those before; the oldest leave for it. */
  void add(KvEventBatch batch) {
    while (size > 0 && (size == ring.length || bytes + batch.payload().length > maxBytes)) {
      bytes -= ring[first].payload().length;
      ring[first] = null;
      first = (first + 1) % ring.length;
      size--;
    }
    ring[(first + size) % ring.length] = batch;
    size++;
    bytes += batch.payload().length;
  }

  /** The oldest batch with this number or a higher one, or null. */
  KvEventBatch atLeast(long seq) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(middle).seq() < seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < size ? get(low) : null;
  }

  /** Number of the newest batch, −1 if there is none. */
  long lastSeq() {
    return size == 0 ? -1 : get(size - 1).seq();
  }

  int size() {
    return size;
  }

  void clear() {
    for (int i = 0; i < size; i++) {
      ring[(first + i) % ring.length] = null;
    }
    first = 0;
    size = 0;
    bytes = 0;
  }

  private KvEventBatch get(int index) {
    return ring[(first + index) % ring.length];
  }
}
