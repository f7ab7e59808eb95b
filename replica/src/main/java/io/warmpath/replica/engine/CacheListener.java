package io.warmpath.replica.engine;

/** Hears which prefix blocks a {@link KvCache} holds, in the order in which it changes. */
public interface CacheListener {

  /** Hears nothing. */
  CacheListener NONE = new CacheListener() {};

  /** A block that was not there can be reused from now on. */
  default void onStored(long hash) {}

  /** The last copy of a block is gone. */
  default void onRemoved(long hash) {}

  /** Every block is gone. */
  default void onCleared() {}

  /**
   * Blocks of a sequence are full and can be reused from now on. Unlike {@link #onStored}, this
   * tells of every copy.
   *
   * @param fromBlock index of the first of them in the sequence
   * @param toBlock index after the last one
   */
  default void onFilled(Sequence sequence, int fromBlock, int toBlock) {}

  /** A copy of a block is gone; there may be others. */
  default void onEvicted(long hash) {}

  /** Hears for two. */
  static CacheListener both(CacheListener first, CacheListener second) {
    return new BothCacheListeners(first, second);
  }
}
