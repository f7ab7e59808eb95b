package io.warmpath.replica.engine;

/** Passes on what it hears, to the first listener first. */
record BothCacheListeners(CacheListener first, CacheListener second) implements CacheListener {

  @Override
  public void onStored(long hash) {
    first.onStored(hash);
    second.onStored(hash);
  }

  @Override
  public void onRemoved(long hash) {
    first.onRemoved(hash);
    second.onRemoved(hash);
  }

  @Override
  public void onCleared() {
    first.onCleared();
    second.onCleared();
  }

  @Override
  public void onFilled(Sequence sequence, int fromBlock, int toBlock) {
    first.onFilled(sequence, fromBlock, toBlock);
    second.onFilled(sequence, fromBlock, toBlock);
  }

  @Override
  public void onEvicted(long hash) {
    first.onEvicted(hash);
    second.onEvicted(hash);
  }
}
