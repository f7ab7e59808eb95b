package io.warmpath.replica.kvevents;

/** What vLLM tells of its prefix cache. Hashes are the engine's inside; the wire has others. */
sealed interface KvEvent {

  /**
   * Neighbouring blocks of one sequence are full.
   *
   * @param hashes one a block
   * @param parent of the block before the first one, null where there is none
   * @param tokenIds of all of them
   */
  record BlockStored(long[] hashes, Long parent, int[] tokenIds) implements KvEvent {}

  /** A block is gone: one copy of it, of as many as were stored. */
  record BlockRemoved(long hash) implements KvEvent {}

  /** The prefix cache was emptied. */
  record AllBlocksCleared() implements KvEvent {}

  /** Token ids in it. */
  default int tokens() {
    return this instanceof BlockStored stored ? stored.tokenIds().length : 0;
  }
}
