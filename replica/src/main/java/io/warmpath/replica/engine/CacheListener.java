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
}
